/** `docs/reference/operations.md`, read off the operations and their description. */
import { operations } from "@trailbook/core/operation/layer"
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
    "Everything that the service does, by REST and as tools for assistants. The same is served for programs at `/v1/openapi.json` and as a page at",
    "`/reference`.",
    "",
    "- Every request carries `Authorization: Bearer <key>`. A key has the scopes `read`, `write` and `admin`, or some of them.",
    "- A body is JSON, with `Content-Type: application/json`. A field or query parameter that an operation does not know is refused.",
    "- Instants are ISO 8601; sent, they need `Z` or an offset. In a query its `+` is written `%2B`, because `+` there is a blank. Local dates and wall",
    "  times are in the outfitter's time zone. Money is whole cents of the outfitter's currency.",
    "- Lists are `{\"data\": […]}`. Pass `next_cursor` of an answer as `cursor` to get the next page; it is left out on the last. A page has 100 items",
    "  unless `limit` says how many, and 50 of events.",
    "- `metadata` is any JSON object of up to 16 KiB and 8 levels.",
    "- What may go wrong anywhere is in [errors](errors.md): `invalid_request`, `unauthorized`, `forbidden`, `rate_limited`, `internal` and `unavailable`,",
    "  and where there is a body `too_large` and `unsupported_media_type`. Listed here are the refusals beside those.",
    "- The tool of an assistant has the same fields in one object, without the parts of an address. How to connect one:",
    "  [Connect an assistant](../how-to/connect-an-assistant.md).",
    "",
    table(
      ["operation", "request", "scope", "what it does"],
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
    "What operations answer with. Fields may be added: ignore those that you do not know.",
    Object.entries(described.components["schemas"] ?? {}).filter(([name]) => name !== "Error").flatMap(
      ([name, schema]) => ["", `### ${name}`, "", ...fieldTable(schema)]
    )
  )
}

type Declared = (typeof operations)[number]

const requestOf = ({ method, path }: Operation.Any): string => `${method} /v1${path.replace(/:(\w+)/g, "{$1}")}`

// Not the name alone, which a resource may have.
const titleOf = (name: string): string => `Operations on ${name}`

const entryOf = (
  paths: Readonly<Record<string, Readonly<Record<string, object>>>>,
  operation: Operation.Any
): Entry => {
  const entry = paths[operation.path.replace(/:(\w+)/g, "{$1}")]?.[operation.method.toLowerCase()]
  if (entry === undefined) throw new Error(`${operation.name} is not described`)
  // As `document` makes it.
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
  const more = cursor === undefined ? "" : ", and `next_cursor` while there is more"
  if (schema.$ref !== undefined) return [`Answers ${status}: ${typeOf(schema)}.`]
  if (data?.items !== undefined && Object.keys(others).length === 0) {
    return [`Answers ${status}: \`data\`, a ${typeOf(data)}${more}.`]
  }
  return [`Answers ${status}:`, "", ...fieldTable(schema)]
}

const fieldTable = (schema: JsonSchema): ReadonlyArray<string> =>
  table(
    ["field", "value", "meaning"],
    fieldsOf(schema).map(({ meaning, name, required, type }) => [
      code(name),
      required ? type : `${type}; may be missing`,
      meaning
    ])
  )

const refusals = ({ refusals }: Declared): ReadonlyArray<string> =>
  refusals.length === 0 ? ["No refusals of its own."] : [
    "Refusals of its own:",
    "",
    ...table(
      ["code", "when"],
      refusals.map((refusal) => [link(code(refusal), `errors.md#${anchor(refusal)}`), declaredOf[refusal].when])
    )
  ]

const tool = (operation: Operation.Any): ReadonlyArray<string> => {
  const { hints, tool: { description, title, toolset } } = operation
  const said = [
    ...(isReadOnly(operation) ? ["changes nothing"] : []),
    ...(hints.destructive === true ? ["ends something for good"] : []),
    ...(hints.idempotent === true ? ["safe to repeat"] : []),
    ...(hints.idempotencyKey === undefined ? [] : [`safe to repeat with the same ${code(hints.idempotencyKey)}`]),
    ...(hints.openWorld === true ? ["reaches people or systems outside"] : [])
  ]
  return [
    `Tool ${code(toolName(operation))} (“${title}”, toolset ${code(toolset)})${
      said.length === 0 ? "" : `: ${said.join("; ")}`
    }.`,
    "",
    `> ${plain(description)}`
  ]
}
