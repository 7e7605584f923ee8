#!/usr/bin/env node
/** The command-line entry point. Each command loads its modules when it is called. */
import process from "node:process"
import { main } from "./command/main.ts"

// The reader can close the pipe early, as in `trailbook help | head`. Any other write error is a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => error.code === "EPIPE" ? undefined : process.exit(1))
// A server must keep running if its log reader exits or the disk is full, so ignore write errors.
process.stderr.on("error", () => {})

// A database and an outbox contain guests' personal data, so other system users must not be able to read them.
process.umask(process.umask() | 0o007)

process.exitCode = await main(process.argv.slice(2), process.env)
