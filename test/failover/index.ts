/**
 * `npm run test:failover` switches a database's primary 50 times while guests book. `FAILOVER_SWITCHOVERS` changes the
 * number, and `RELIABILITY_SEED` repeats a plan. `-- replica` measures how much a replica reduces the load on the
 * primary. Exits with 1 if there are findings, or if the replica saves too little.
 */
import { reportOf, table } from "../reliability/report.ts"
import { failover } from "./failover.ts"
import { measureSavings } from "./replica.ts"

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const parts = process.argv.slice(2)
const isSelected = (part: string) => parts.length === 0 || parts.includes(part)

if (isSelected("switchovers")) {
  const seed = process.env["RELIABILITY_SEED"] ?? String(Date.now())
  print(`RELIABILITY_SEED=${seed}`)
  const switchovers = Number(process.env["FAILOVER_SWITCHOVERS"] ?? 50)
  const result = await failover({ switchovers, seed, onRound: print })
  const report = reportOf(result)
  print(table([report]))
  for (const sentence of report.findings) print(sentence)
  if (report.findings.length > 0) process.exitCode = 1
}
if (isSelected("replica") && !await measureSavings(print)) process.exitCode = 1
