#!/usr/bin/env node
/**
 * The command line. Each command loads what it needs when it is called.
 *
 * @since 0.1.0
 */
import process from "node:process"
import { main } from "./command/main.ts"

// Whoever reads what we print may stop early, as in `trailbook help | head`: then nobody is left to tell.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})

// A database and an outbox hold what guests told the outfitter; whoever else has an account here must not read it.
process.umask(process.umask() | 0o007)

process.exitCode = await main(process.argv.slice(2), process.env)
