"""brushpass: Codenames Duet with bots that think in word embeddings."""

__version__ = "0.1.0"
