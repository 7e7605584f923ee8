#!/usr/bin/env node
// Not in dist: npm links a command only if its file exists, and dist does not exist before the first build.
import process from "node:process"
import { run } from "../dist/index.js"

const { code, stderr, stdout } = run(process.argv.slice(2))
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = code
