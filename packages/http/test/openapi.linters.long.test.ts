/** Runs an OpenAPI linter, an external program that takes seconds to start. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { apiDescription } from "./openapiDocument.ts"

describe("the OpenAPI document", () => {
  let folder: string
  let file: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "trailbook-openapi-"))
    file = join(folder, "openapi.json")
    writeFileSync(file, JSON.stringify(apiDescription))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const lint = (path: string) =>
    promisify(execFile)(
      join(import.meta.dirname, "../../../node_modules/.bin/redocly"),
      ["lint", "--extends", "recommended-strict", path],
      { env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } }
    )

  it("passes Redocly's recommended rules", async () => {
    const { stderr, stdout } = await lint(file)
    assert.match(stdout + stderr, /Your API description is valid/)
  })

  it("control: fails the linter if it contains errors", async () => {
    const brokenPath = join(folder, "broken.json")
    writeFileSync(brokenPath, JSON.stringify({ ...apiDescription, info: { title: "Trailbook" } }))
    const [outcome] = await Promise.allSettled([lint(brokenPath)])
    assert.strictEqual(outcome?.status, "rejected")
  })
})
