/**
 * `npm run test:reliability`: every campaign in full, with its figures. `npm run test:reliability -- sqlite` runs one part;
 * `RELIABILITY_SEED` repeats a plan. Exit code 1 says that something was found.
 */
import { type Result, run } from "./campaign.ts"
import { campaigns } from "./campaigns.ts"
import { isNone } from "./Findings.ts"
import { table } from "./report.ts"

const seed = process.env["RELIABILITY_SEED"] ?? String(Date.now())
const wanted = process.argv.slice(2)
const parts = campaigns(seed)
const unknown = wanted.filter((name) => !(name in parts))
if (unknown.length > 0) {
  process.stderr.write(`No part is called ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}.\n`)
  process.exit(2)
}
const print = (text: string): void => void process.stdout.write(`${text}\n`)

print(`RELIABILITY_SEED=${seed}`)
const results: Array<Result> = []
for (const [name, part] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const result = await part((campaign) => run({ ...campaign, onRound: print }))
  results.push(result)
  print(`\n${table([result])}\n`)
}
print(table(results))
for (const { findings, name } of results) {
  for (const [kind, sentences] of Object.entries(findings)) {
    for (const sentence of sentences) print(`${name}: ${kind}: ${sentence}`)
  }
}
process.exitCode = results.every(({ findings }) => isNone(findings)) ? 0 : 1
