/** Writes `docs/reference/operations.md` from the operations and their OpenAPI document. */
import { operations } from "@trailbook/core/layer"
import type { Operation } from "@trailbook/core/operation/Operation"
import { buildDocument } from "@trailbook/http/openapi/buildDocument"
import { anchor, code, escapeHtml, link, page, table, writtenNotice } from "./markdown.ts"
import {
  baseOf,
  type Components,
  fieldsOf,
  type JsonSchema,
  nameOf,
  resource,
  type Row,
  sharedWith,
  typeOf
} from "./typeOf.ts"

interface Content {
  readonly content: { readonly "application/json": { readonly schema: JsonSchema } }
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

interface Entry {
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

type DeclaredOperation = (typeof operations)[number]

const openApi = buildDocument(operations, { base: "/v1" })
const { Error: _, ...components }: Components = openApi.components["schemas"] ?? {}

export const operationsPage = (): string => {
  const documented: DocumentedRows = new Map()
  const groups = openApi.tags.map(({ name }) => ({
    name,
    members: operations.filter((operation) => operation.name.startsWith(`${name}.`))
  }))
  return page(
    "# Operations",
    "",
    writtenNotice,
    "",
    "This page lists all operations, over REST and as tools for assistants. The server also serves this reference as OpenAPI at `/v1/openapi.json` and as a",
    "page at `/reference`.",
    "",
    groups.map(({ members, name }) =>
      `- ${link(name, `#${anchor(formatTitle(name))}`)}: ${
        members.map((operation) => link(operation.name.slice(name.length + 1), `#${anchor(operation.name)}`)).join(", ")
      }`
    ),
    "- [resources](#resources)",
    "",
    "## Conventions",
    "",
    "- Every request sends `Authorization: Bearer <key>`. A key has one or more of the scopes `read`, `write`, and `admin`.",
    "- `{id}` in a path is the UUID of the resource. Other fields are query parameters of GET and DELETE, and JSON body fields of all other methods.",
    "- Fields are optional unless marked as required. Unknown fields are rejected. A body needs `Content-Type: application/json`.",
    "- Instants are ISO 8601. In requests they need `Z` or an offset. Encode a `+` in a query as `%2B`, because `+` means a space there. Local dates and",
    "  wall times are in the outfitter's time zone. Money is an integer number of cents in the outfitter's currency.",
    "- A list is `{\"data\": […]}`. An operation that returns pages also takes `limit` (1 to 500, 100 by default) and `cursor`. To get the next page, pass",
    "  `next_cursor` of the response as `cursor`. The last page has no `next_cursor`.",
    "- `metadata` is any JSON object of up to 16 KiB (4 KiB for a booking) and 8 levels.",
    "- `idempotency_key` can also be sent as the header `Idempotency-Key`. Use a new UUID for each request, and the same UUID to retry it.",
    "- Every operation can return these [errors](errors.md): `invalid_request`, `unauthorized`, `forbidden`, `rate_limited`, `internal`, and `unavailable`,",
    "  and with a body also `too_large` and `unsupported_media_type`. Each operation lists only its additional errors.",
    "- Each operation is also a tool for assistants, such as `bookings_create` for `bookings.create`. A tool takes all fields in one object, including those of the",
    "  path. See [Connect an assistant](../how-to/connect-an-assistant.md).",
    "- A GET changes nothing. An *idempotent* operation is safe to repeat. An *irreversible* operation cannot be undone. An *external* operation reaches people or other",
    "  systems, for example by email.",
    groups.flatMap(({ members, name }) => [
      "",
      `## ${formatTitle(name)}`,
      ...members.flatMap((operation) => formatSection(operation, findEntry(operation), documented))
    ]),
    "",
    "## Resources",
    "",
    "Objects that operations return. New fields can be added, so ignore unknown ones. Bounds apply to requests.",
    Object.entries(components).flatMap((
      [name, schema]
    ) => ["", `### ${name}`, "", ...formatResourceTable(name, schema)])
  )
}

const formatPath = ({ path }: Operation.Any): string => path.replace(/:(\w+)/g, "{$1}")

// The name alone is not enough, because a resource may have the same heading.
const formatTitle = (name: string): string => `Operations on ${name}`

const findEntry = (operation: Operation.Any): Entry => {
  const entry = openApi.paths[formatPath(operation)]?.[operation.method.toLowerCase()]
  if (entry === undefined) throw new Error(`${operation.name} is not described`)
  // `buildDocument` creates entries of this shape.
  return entry as Entry
}

const formatSection = (
  operation: DeclaredOperation,
  entry: Entry,
  documented: DocumentedRows
): ReadonlyArray<string> => {
  const { description, exactlyOne, method, name, refusals, summary } = operation
  return [
    "",
    `### ${name}`,
    "",
    [code(`${method} /v1${formatPath(operation)}`), ...formatLabels(operation)].join(" · "),
    "",
    escapeHtml(summary === description ? summary : `${summary} ${description}`),
    "",
    ...formatInput(operation, entry, documented),
    ...exactlyOne.flatMap((names) => [`Exactly one of ${names.map(code).join(", ")} is required.`, ""]),
    ...answer(operation, entry),
    ...(refusals.length === 0
      ? []
      : ["", `Errors: ${refusals.map((refusal) => link(code(refusal), `errors.md#${anchor(refusal)}`)).join(", ")}.`])
  ]
}

const formatLabels = ({ hints, scope, tool: { toolset } }: Operation.Any): ReadonlyArray<string> => [
  `scope ${code(scope)}`,
  `toolset ${code(toolset)}`,
  ...(hints.idempotent === true ? ["idempotent"] : []),
  ...(hints.idempotencyKey === undefined ? [] : [`idempotent with ${code(hints.idempotencyKey)}`]),
  ...(hints.destructive === true ? ["irreversible"] : []),
  ...(hints.openWorld === true ? ["external"] : [])
]

/** Whether the conventions describe the parameter for all operations. */
const isConventional = ({ in: place, name, schema }: Parameter, isPaged: boolean): boolean =>
  (place === "path" && name === "id" && typeOf(schema) === "UUID") ||
  (place === "header" && name === "Idempotency-Key") ||
  (isPaged && name === "cursor") ||
  (isPaged && name === "limit" && typeOf(schema) === "whole number, 1 to 500")

const formatInput = (operation: DeclaredOperation, entry: Entry, documented: DocumentedRows): ReadonlyArray<string> => {
  const { parameters } = entry
  if (entry.requestBody !== undefined && parameters.some((parameter) => parameter.in === "query")) {
    throw new Error(`${operation.name} has a body and query parameters, which the conventions exclude`)
  }
  const isPaged = parameters.some(({ name }) => name === "cursor")
  const rows = [
    ...parameters.filter((parameter) => !isConventional(parameter, isPaged)).map((parameter): Row => ({
      name: parameter.name,
      required: parameter.required,
      type: typeOf(parameter.schema),
      meaning: escapeHtml(parameter.description ?? "")
    })),
    // The conventions describe the key, and the labels state whether an operation accepts one.
    ...findBodyRows(entry).filter(({ name }) => name !== operation.hints.idempotencyKey)
  ]
  const of = findResource(operation, entry)
  const sharedNames = of === undefined ? [] : formatSharedInputs(of, entry)
  const ownRows = removeRepeats(rows.filter((row) => !sharedNames.includes(row.name)), operation.name, documented)
  return [
    ...(of === undefined || sharedNames.length === 0 ? [] : [
      `Fields of ${resource(of)}: ${
        rows.filter(({ name }) => sharedNames.includes(name)).map(({ name, required }) =>
          required ? `${code(name)} (required)` : code(name)
        ).join(", ")
      }.`,
      ""
    ]),
    ...(ownRows.length === 0 ? [] : [
      ...table(
        ["field", "value", "meaning"],
        ownRows.map(({ meaning, name, required, type }) => [code(name), required ? `${type}; required` : type, meaning])
      ),
      ""
    ])
  ]
}

/** Maps a nested object's rows to the first operation that describes them. */
type DocumentedRows = Map<string, string>

/** If an earlier operation describes a nested object, replaces the object's rows with a link to that operation. */
const removeRepeats = (rows: ReadonlyArray<Row>, operation: string, documented: DocumentedRows): ReadonlyArray<Row> =>
  rows.flatMap((row) => {
    const [object] = /^\w+(?=[.[])/.exec(row.name) ?? []
    if (object === undefined) return [row]
    const nested = rows.filter(({ name }) => name.startsWith(`${object}.`) || name.startsWith(`${object}[`))
    const key = JSON.stringify(nested)
    const first = documented.get(key) ?? operation
    documented.set(key, first)
    if (first === operation || nested.length < 3) return [row]
    const meaning = `as in ${link(first, `#${anchor(first)}`)}`
    return row === nested[0] ? [{ name: `${object}.*`, required: false, type: "fields", meaning }] : []
  })

const findBodyRows = ({ requestBody }: Entry): ReadonlyArray<Row> =>
  requestBody === undefined ? [] : fieldsOf(requestBody.content["application/json"].schema)

const findResponse = ({ status }: DeclaredOperation, { responses }: Entry): JsonSchema =>
  responses[status]?.content["application/json"].schema ?? {}

/** Returns the name of the resource that an operation returns. */
const findResource = (operation: DeclaredOperation, entry: Entry): string | undefined => {
  const { $ref } = findResponse(operation, entry)
  return $ref === undefined ? undefined : nameOf($ref)
}

/**
 * Returns the body fields that the resource's table also describes. If there is only one such field, the operation
 * describes it instead.
 */
const formatSharedInputs = (name: string, entry: Entry): ReadonlyArray<string> => {
  const fields = components[name]?.properties ?? {}
  const names = findBodyRows(entry).filter(({ meaning, name }) => {
    const field = fields[name]
    return field !== undefined && escapeHtml(field.description ?? "") === meaning
  }).map(({ name }) => name)
  return names.length < 2 ? [] : names
}

/**
 * Returns the types that a resource's fields have in requests, which may include bounds. All operations must use the
 * same types.
 */
const findBoundedTypes = (name: string): ReadonlyMap<string, string> => {
  const types = new Map<string, string>()
  for (const operation of operations) {
    const entry = findEntry(operation)
    if (findResource(operation, entry) !== name) continue
    const sharedNames = formatSharedInputs(name, entry)
    for (const row of findBodyRows(entry).filter((row) => sharedNames.includes(row.name))) {
      const knownType = types.get(row.name) ?? row.type
      if (knownType !== row.type) throw new Error(`${operation.name} has another type of ${name}.${row.name}`)
      types.set(row.name, row.type)
    }
  }
  return types
}

const answer = (operation: DeclaredOperation, entry: Entry): ReadonlyArray<string> => {
  const { status } = operation
  const schema = findResponse(operation, entry)
  const { data, next_cursor: cursor, ...otherFields } = schema.properties ?? {}
  if (schema.$ref !== undefined) return [`Returns ${status}: ${typeOf(schema)}.`]
  if (data?.items !== undefined && Object.keys(otherFields).length === 0) {
    const items = typeOf(data.items)
    return [`Returns ${status}: ${cursor === undefined ? "a list" : "pages"} of ${items}.`]
  }
  if (Object.keys(schema.properties ?? {}).join() === "ok") return [`Returns ${status}: \`{"ok": true}\`.`]
  return formatFieldTable(schema, `Returns ${status}:`)
}

const formatResourceTable = (name: string, schema: JsonSchema): ReadonlyArray<string> => {
  const { [name]: _, ...otherComponents } = components
  const sharedFields = sharedWith(schema, otherComponents)
  if (sharedFields?.fields.length === Object.keys(schema.properties ?? {}).length) {
    return [`Some fields of ${resource(sharedFields.name)}: ${sharedFields.fields.map(code).join(", ")}.`]
  }
  const types = findBoundedTypes(name)
  return formatFieldTable(schema, "", otherComponents, (row) => types.get(row.name) ?? row.type)
}

/** Descriptions that merely repeat the field name. */
const repeatsName = /^(its (id|start|end)|when it was created|all of them)$/i

/** Renders the fields of an object. If the object contains all of a resource's fields, a link replaces them. */
const formatFieldTable = (
  schema: JsonSchema,
  lead: string,
  otherComponents: Components = components,
  typeIn: (row: Row) => string = ({ type }) => type
): ReadonlyArray<string> => {
  const base = baseOf(schema, otherComponents)
  const title = base === undefined ? lead : `${lead} ${resource(base.name)} with:`.trim()
  const rows = fieldsOf(schema, components).filter(({ name }) =>
    base?.fields.includes(name.replace(/[[.].*/, "")) !== true
  )
  const clear = rows.filter(({ meaning }) => repeatsName.test(meaning))
  const explained = rows.filter((row) => !clear.includes(row))
  return [
    ...(title === "" ? [] : [title, ""]),
    ...(explained.length === 0 ? [] : table(
      ["field", "value", "meaning"],
      explained.map((
        row
      ) => [code(row.name), row.required ? typeIn(row) : `${typeIn(row)}; optional`, row.meaning])
    )),
    ...(clear.length === 0 ? [] : [
      ...(explained.length === 0 ? [] : [""]),
      `${explained.length === 0 ? "Fields" : "Other fields"}: ${
        clear.map((row) => `${code(row.name)} (${typeIn(row)})`).join(", ")
      }.`
    ])
  ]
}
