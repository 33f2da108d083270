// An agent in JavaScript: it answers JSON lines (docs/agents.md).
//
// `brushpass agents check "cmd:node coin.js"`. Its clues mean nothing, and it touches any card it may.

const words = ["algebra", "ballot", "candor", "dogma", "envy", "folly", "gossip", "hubris", "irony", "jargon"];

let state = 0;

// The next of a row of numbers that depends on the seed alone (mulberry32).
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}

const choice = (list) => list[Math.floor(random() * list.length)];

const answers = {
  hello() {
    return { name: "coin", version: "1", reuse: true }; // one process may play game after game
  },

  new_game({ seed }) {
    state = Number(BigInt(seed) >> 32n); // 64 bits; JSON.parse has rounded the last ones
    return {};
  },

  clue({ view, refused = [] }) {
    const cards = view.words.join(" ");
    const fit = (word) => !cards.includes(word) && !refused.some((answer) => answer.word === word);
    return { word: choice(words.filter(fit)), number: 1 };
  },

  guess({ view }) {
    if (!view.must_guess) return view.phase === "SUDDEN" ? { yield: true } : { stop: true };
    const gone = new Set([...view.found, ...view.marks[view.seat]]);
    return { card: choice([...Array(25).keys()].filter((card) => !gone.has(card))) };
  },

  end() {
    return {};
  },
};

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "quit") process.exit(0);
    console.log(JSON.stringify({ id, result: answers[method](params) }));
  });
