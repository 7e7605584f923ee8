/** Loaded before a server with `--import`. On SIGUSR2, collects garbage and writes the used heap to stderr. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc")

process.on("SIGUSR2", () => {
  collect()
  process.stderr.write(`heap ${(process.memoryUsage().heapUsed / 2 ** 20).toFixed(1)} MB\n`)
})
