/** Writes `docs/reference/operations.md` from the operations and their OpenAPI document. */
import { operations } from "@trailbook/core/layer"
import { isReadOnly, type Operation, toolName } from "@trailbook/core/operation/Operation"
import { refusals as declaredOf } from "@trailbook/core/refusals"
import { document } from "@trailbook/http/openapi/document"
import { anchor, code, link, page, plain, table, written } from "./markdown.ts"
import { fieldsOf, type JsonSchema, typeOf } from "./typeOf.ts"

interface Content {
  readonly content: { readonly "application/json": { readonly schema: JsonSchema } }
}

interface Entry {
  readonly parameters: ReadonlyArray<
    {
      readonly name: string
      readonly in: string
      readonly required: boolean
      readonly description?: string
      readonly schema: JsonSchema
    }
  >
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

export const operationsPage = (): string => {
  const described = document(operations, { base: "/v1" })
  const groups = described.tags.map(({ name }) => ({
    name,
    members: operations.filter((operation) => operation.name.startsWith(`${name}.`))
  }))
  return page(
    "# Operations",
    "",
    written,
    "",
    "All operations of the service, over REST and as tools for assistants. The server also serves this reference as OpenAPI at `/v1/openapi.json` and as a",
    "page at `/reference`.",
    "",
    "- Every request carries `Authorization: Bearer <key>`. A key has one or more of the scopes `read`, `write`, and `admin`.",
    "- A body is JSON, with `Content-Type: application/json`. Unknown fields and query parameters are rejected.",
    "- Instants are ISO 8601. In requests they need `Z` or an offset. Encode a `+` in a query as `%2B`, because `+` means a space there. Local dates and",
    "  wall times are in the outfitter's time zone. Money is an integer number of cents in the outfitter's currency.",
    "- Lists are `{\"data\": […]}`. To get the next page, pass `next_cursor` of the response as `cursor`. The last page has no `next_cursor`. A page has",
    "  100 items, or 50 events, unless you set `limit`.",
    "- `metadata` is any JSON object of up to 16 KiB and 8 levels.",
    "- Every operation can return these [errors](errors.md): `invalid_request`, `unauthorized`, `forbidden`, `rate_limited`, `internal`, and `unavailable`,",
    "  and with a body also `too_large` and `unsupported_media_type`. Each operation lists only its additional errors.",
    "- An assistant's tool takes the same fields in one object: path and query parameters are fields too. See",
    "  [Connect an assistant](../how-to/connect-an-assistant.md).",
    "",
    table(
      ["operation", "request", "scope", "description"],
      operations.map((operation) => [
        link(operation.name, `#${anchor(operation.name)}`),
        code(requestOf(operation)),
        code(operation.scope),
        plain(operation.summary)
      ])
    ),
    groups.flatMap(({ members, name }) => [
      "",
      `## ${titleOf(name)}`,
      ...members.flatMap((operation) => sectionOf(operation, entryOf(described.paths, operation)))
    ]),
    "",
    "## Resources",
    "",
    "Objects that operations return. New fields can be added, so ignore unknown ones.",
    Object.entries(described.components["schemas"] ?? {}).filter(([name]) => name !== "Error").flatMap(
      ([name, schema]) => ["", `### ${name}`, "", ...fieldTable(schema)]
    )
  )
}

type Declared = (typeof operations)[number]

const requestOf = ({ method, path }: Operation.Any): string => `${method} /v1${path.replace(/:(\w+)/g, "{$1}")}`

// Not only the name: a resource can have the same heading.
const titleOf = (name: string): string => `Operations on ${name}`

const entryOf = (
  paths: Readonly<Record<string, Readonly<Record<string, object>>>>,
  operation: Operation.Any
): Entry => {
  const entry = paths[operation.path.replace(/:(\w+)/g, "{$1}")]?.[operation.method.toLowerCase()]
  if (entry === undefined) throw new Error(`${operation.name} is not described`)
  // `document` creates entries of this shape.
  return entry as Entry
}

const sectionOf = (operation: Declared, entry: Entry): ReadonlyArray<string> => {
  const { description, name, scope, status, summary } = operation
  return [
    "",
    `### ${name}`,
    "",
    `${code(requestOf(operation))}, scope ${code(scope)}`,
    "",
    plain(summary === description ? summary : `${summary} ${description}`),
    "",
    ...inputTable(entry),
    ...operation.exactlyOne.flatMap((names) => [`Give exactly one of ${names.map(code).join(" and ")}.`, ""]),
    ...answer(status, entry.responses[status]?.content["application/json"].schema ?? {}),
    "",
    ...refusals(operation),
    "",
    ...tool(operation)
  ]
}

const inputTable = ({ parameters, requestBody }: Entry): ReadonlyArray<string> => {
  const body = requestBody === undefined ? [] : fieldsOf(requestBody.content["application/json"].schema)
  const rows = [
    ...parameters.map(({ description, in: place, name, required, schema }) => [
      code(name),
      place,
      required ? "yes" : "",
      typeOf(schema),
      plain(description ?? "")
    ]),
    ...body.map(({ meaning, name, required, type }) => [code(name), "body", required ? "yes" : "", type, meaning])
  ]
  return rows.length === 0 ? [] : [...table(["field", "in", "required", "value", "meaning"], rows), ""]
}

const answer = (status: number, schema: JsonSchema): ReadonlyArray<string> => {
  const { data, next_cursor: cursor, ...others } = schema.properties ?? {}
  const more = cursor === undefined ? "" : ", and `next_cursor` if there are more"
  if (schema.$ref !== undefined) return [`Returns ${status}: ${typeOf(schema)}.`]
  if (data?.items !== undefined && Object.keys(others).length === 0) {
    return [`Returns ${status}: \`data\`, a ${typeOf(data)}${more}.`]
  }
  return [`Returns ${status}:`, "", ...fieldTable(schema)]
}

const fieldTable = (schema: JsonSchema): ReadonlyArray<string> =>
  table(
    ["field", "value", "meaning"],
    fieldsOf(schema).map(({ meaning, name, required, type }) => [
      code(name),
      required ? type : `${type}; can be missing`,
      meaning
    ])
  )

const refusals = ({ refusals }: Declared): ReadonlyArray<string> =>
  refusals.length === 0 ? ["No additional errors."] : [
    "Additional errors:",
    "",
    ...table(
      ["code", "when"],
      refusals.map((refusal) => [link(code(refusal), `errors.md#${anchor(refusal)}`), declaredOf[refusal].when])
    )
  ]

const tool = (operation: Operation.Any): ReadonlyArray<string> => {
  const { hints, tool: { description, title, toolset } } = operation
  const notes = [
    ...(isReadOnly(operation) ? ["changes nothing"] : []),
    ...(hints.destructive === true ? ["cannot be undone"] : []),
    ...(hints.idempotent === true ? ["safe to repeat"] : []),
    ...(hints.idempotencyKey === undefined ? [] : [`safe to repeat with the same ${code(hints.idempotencyKey)}`]),
    ...(hints.openWorld === true ? ["reaches people or systems outside"] : [])
  ]
  return [
    `Tool ${code(toolName(operation))} (“${title}”, toolset ${code(toolset)})${
      notes.length === 0 ? "" : `: ${notes.join("; ")}`
    }.`,
    "",
    `> ${plain(description)}`
  ]
}
