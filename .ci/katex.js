// Every formula on standard input, a JSON list of {where, latex}, is typeset by KaTeX in strict mode.
const katex = require("katex");
const formulas = JSON.parse(require("fs").readFileSync(0, "utf8"));
let faults = 0;
for (const { where, latex } of formulas) {
  try {
    katex.renderToString(latex, { displayMode: true, strict: "error", throwOnError: true });
  } catch (error) {
    faults += 1;
    console.error(`${where}: ${error.message}\n  ${latex}`);
  }
}
console.log(`KaTeX: ${formulas.length} formulas, ${faults} faults`);
process.exit(faults ? 1 : 0);
