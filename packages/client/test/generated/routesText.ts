/** Generates `src/routes.ts`: the routes of all operations, from their declarations. */
import { isReadOnly, type Operation } from "@trailbook/core/operation/Operation"
import type { Schema } from "effect/Schema"
import { grouped } from "./operationsText.ts"

export const routesText = (operations: ReadonlyArray<Operation.Any>): string =>
  [
    head,
    "export const routes = {",
    grouped(operations).map(([group, members]) =>
      `  ${group}: {\n${members.map((operation) => line(group, operation)).join(",\n")}\n  }`
    ).join(",\n"),
    "} as const satisfies Routes",
    ""
  ].join("\n")

const line = (group: string, operation: Operation.Any): string => {
  const { hints, method, name, output, path } = operation
  const key = hints.idempotencyKey
  const isRepeatable = isReadOnly(operation) || hints.idempotent === true || key !== undefined
  const next = Object.keys(fieldsOf(output)).find((field) =>
    field === "next_cursor" || field === "next_after" || field === "next_from"
  )
  const parts = [
    `method: ${JSON.stringify(method)}`,
    `path: ${JSON.stringify(path)}`,
    `isRepeatable: ${isRepeatable}`,
    ...(key === undefined ? [] : [`key: ${JSON.stringify(key)}`]),
    ...(next === undefined ? [] : [`next: ${JSON.stringify(next)}`])
  ]
  return `    ${name.slice(group.length + 1)}: { ${parts.join(", ")} }`
}

const fieldsOf = (schema: Schema.AnyNoContext): object => "fields" in schema ? Object(schema.fields) : {}

const head = `/**
 * The way to every operation. Written by \`npm run generate\` in this package; a test holds it to the declarations that
 * the server answers by.
 */
import type { Routes } from "./Route.ts"

/**
 */`
