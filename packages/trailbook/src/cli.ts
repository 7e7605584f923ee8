#!/usr/bin/env node
/** The command line. Each command loads what it needs when it is called. */
import process from "node:process"
import { main } from "./command/main.ts"

// Whoever reads the answer may stop early, as in `trailbook help | head`; one that could not be written is a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => error.code === "EPIPE" ? undefined : process.exit(1))
// A server outlives whoever reads its log, and the disk that the log is on.
process.stderr.on("error", () => {})

// A database and an outbox hold what guests told the outfitter; whoever else has an account here must not read it.
process.umask(process.umask() | 0o007)

process.exitCode = await main(process.argv.slice(2), process.env)
