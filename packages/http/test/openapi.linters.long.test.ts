/** Runs OpenAPI linters, which are external programs that take seconds to start. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { described } from "./openapiDocument.ts"

describe("the OpenAPI document", () => {
  let folder: string
  let file: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "trailbook-openapi-"))
    file = join(folder, "openapi.json")
    writeFileSync(file, JSON.stringify(described))
    writeFileSync(join(folder, "spectral.yaml"), "extends: [\"spectral:oas\"]\n")
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const bin = join(import.meta.dirname, "../../../node_modules/.bin")
  const run = (command: string, ...args: ReadonlyArray<string>) =>
    promisify(execFile)(join(bin, command), args, {
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
    })

  it("passes Redocly's recommended rules", async () => {
    const { stderr, stdout } = await run("redocly", "lint", "--extends", "recommended-strict", file)
    assert.match(stdout + stderr, /Your API description is valid/)
  })

  it("passes Spectral's rules", async () => {
    const ruleset = join(folder, "spectral.yaml")
    const { stdout } = await run("spectral", "lint", "--fail-severity", "hint", "--ruleset", ruleset, file)
    assert.match(stdout, /No results/)
  })

  it("control: fails the linters if it contains errors", async () => {
    const broken = join(folder, "broken.json")
    writeFileSync(broken, JSON.stringify({ ...described, info: { title: "Trailbook" } }))
    const ruleset = join(folder, "spectral.yaml")
    const ends = await Promise.allSettled([
      run("redocly", "lint", "--extends", "recommended-strict", broken),
      run("spectral", "lint", "--fail-severity", "hint", "--ruleset", ruleset, broken)
    ])
    assert.deepStrictEqual(ends.map(({ status }) => status), ["rejected", "rejected"])
  })
})
