/**
 * `npm run test:failover` exchanges the primary of a database 50 times while guests book. `FAILOVER_SWITCHOVERS`
 * changes the number, and `RELIABILITY_SEED` repeats a plan. Exits with 1 if there are findings.
 */
import { reportOf, table } from "../reliability/report.ts"
import { failover } from "./failover.ts"

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const seed = process.env["RELIABILITY_SEED"] ?? String(Date.now())
print(`RELIABILITY_SEED=${seed}`)
const switchovers = Number(process.env["FAILOVER_SWITCHOVERS"] ?? 50)
const result = await failover({ switchovers, seed, onRound: print })
const report = reportOf(result)
print(table([report]))
for (const sentence of report.findings) print(sentence)
process.exitCode = report.findings.length === 0 ? 0 : 1
