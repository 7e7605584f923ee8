import { operations } from "@trailbook/core/layer"
import * as Operation from "@trailbook/core/operation/Operation"
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { assert, describe, it } from "vitest"
import { routes } from "../src/routes.ts"
import { files } from "./generated/files.ts"
import { operationsText } from "./generated/operationsText.ts"
import { routesText } from "./generated/routesText.ts"
import { typeOf } from "./generated/typeOf.ts"

describe("the generated code (from npm run generate)", () => {
  it.each(files.map(([path, text]) => ({ name: basename(path), path, text })))(
    "matches the server's declarations in src/$name",
    ({ path, text }) => {
      assert.strictEqual(readFileSync(path, "utf8"), text)
    }
  )

  it("changes when a declaration is renamed", () => {
    const [first, ...others] = operations
    const renamed = [{ ...first, name: "trips.list" }, ...others]
    assert.include(operationsText(renamed), "readonly trips: {")
    assert.include(routesText(renamed), "trips: {\n    list: {")
  })
})

it("no operation is named 'all', which is reserved for list iterators", () => {
  for (const { name } of operations) assert.isFalse(name.endsWith(".all"), name)
})

it("the client retries only operations that are safe to repeat", () => {
  const isRepeatable = new Map(
    Object.entries(routes).flatMap(([group, byName]) =>
      Object.entries(byName).map(([name, route]) => [`${group}.${name}`, route.isRepeatable])
    )
  )
  for (const operation of operations as ReadonlyArray<Operation.Operation.Any>) {
    const { hints, name } = operation
    const isExpected = Operation.isReadOnly(operation) || hints.idempotent === true ||
      hints.idempotencyKey !== undefined
    assert.strictEqual(isRepeatable.get(name), isExpected, name)
  }
  assert.isFalse(isRepeatable.get("webhooks.delete"))
  assert.isFalse(isRepeatable.get("bookings.resend"))
})

it("the code generator fails for a JSON schema of an unknown type", () => {
  assert.throws(() => typeOf({ type: "tuple" }, "input", ""), "No type for")
})
