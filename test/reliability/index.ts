/**
 * `npm run test:reliability` runs every part in full and prints its figures. `npm run test:reliability -- sqlite`
 * runs one part. `RELIABILITY_SEED` repeats a plan. Exits with 1 if there are findings.
 */
import { parts } from "./parts.ts"
import { type Report, table } from "./report.ts"

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const seed = process.env["RELIABILITY_SEED"] ?? String(Date.now())
const requestedParts = process.argv.slice(2)
const all = parts(seed, print)
const unknown = requestedParts.filter((name) => !(name in all))
if (unknown.length > 0) {
  process.stderr.write(`Unknown parts: ${unknown.join(", ")}. Known parts: ${Object.keys(all).join(", ")}.\n`)
  process.exit(2)
}

print(`RELIABILITY_SEED=${seed}`)
const reports: Array<Report> = []
for (const [name, part] of Object.entries(all)) {
  if (requestedParts.length > 0 && !requestedParts.includes(name)) continue
  const report = await part()
  reports.push(report)
  print(`\n${table([report])}\n`)
}
print(table(reports))
const findings = reports.flatMap(({ findings }) => findings)
for (const sentence of findings) print(sentence)
process.exitCode = findings.length === 0 ? 0 : 1
