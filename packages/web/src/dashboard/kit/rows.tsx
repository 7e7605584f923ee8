/**
 * Lists within a form, such as an activity's rates. Each item is a row of fields derived from the item's schema. Input
 * names are paths in the operation, such as `pricing.rates.0.name`, so errors appear next to their inputs. Every button
 * submits the entire form, so rows can be added, moved, and removed without JavaScript.
 */
import type { Refusal } from "@trailbook/core"
import type { Operation } from "@trailbook/core/operation/Operation"
import { toInvalidRequest } from "@trailbook/core/wire"
import type { Form as Typed } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ComponentChildren } from "preact"
import { HiddenFields } from "../../ui/Field.tsx"
import { type PageContext, usePage } from "../Page.ts"
import { Card, EmptyNote } from "./elements.tsx"
import { FieldControl, type FieldOptions } from "./fields.tsx"
import { type FormState, makeOperationForm, type OperationForm } from "./operationForm.tsx"
import { getPageUrl } from "./page.tsx"

export interface RowListDefinition {
  /** The list's path in the operation. */
  readonly list: string
  readonly item: Operation.Declared["input"]
  /** The name for an item, such as `Rate`. */
  readonly noun: string
  readonly max: number
  /** The values for a new row. */
  readonly blank: Typed
  /** Returns the fields, keyed by their names in the item. The fields can depend on the rows as typed. */
  readonly fields: (at: number, rows: ReadonlyArray<Typed>) => Readonly<Record<string, string | FieldOptions>>
}

/**
 * Returns the typed rows, keyed by the item's field names. A row with a name gets an ID, so that other rows can refer
 * to it.
 */
export const parseTypedRows = (
  values: Typed,
  { list, noun }: Pick<RowListDefinition, "list" | "noun">
): ReadonlyArray<Typed> => {
  const rows: Array<Record<string, string>> = []
  for (const [path, value] of Object.entries(values)) {
    const [, at, name] = path.startsWith(`${list}.`) ? /^(\d{1,2})\.(.+)$/.exec(path.slice(list.length + 1)) ?? [] : []
    if (at !== undefined && name !== undefined) (rows[Number(at)] ??= {})[name] = value
  }
  const ids = new Set<string | undefined>(rows.map((row) => row["id"]))
  // `Object.values` skips holes in an array.
  return Object.values(rows).map((row) => {
    const { id = "", name = "" } = row
    if (id !== "" || name.trim() === "") return row
    const slug = name.normalize("NFKD").toLowerCase().replaceAll(/\p{M}/gu, "").replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "").slice(0, 36) || noun.toLowerCase()
    let uniqueId = slug
    for (let suffix = 2; ids.has(uniqueId); suffix++) uniqueId = `${slug}-${suffix}`
    ids.add(uniqueId)
    return { ...row, id: uniqueId }
  })
}

const withRows = (values: Typed, { list }: Pick<RowListDefinition, "list">, rows: ReadonlyArray<Typed>): Typed =>
  Object.fromEntries([
    ...Object.entries(values).filter(([name]) => !name.startsWith(`${list}.`)),
    ...rows.flatMap((row, at) => Object.entries(row).map(([name, value]) => [`${list}.${at}.${name}`, value]))
  ])

/** Returns the form for each row. */
export const makeRowForms = (
  { fields, item, list }: Pick<RowListDefinition, "fields" | "item" | "list">,
  rows: ReadonlyArray<Typed>
): ReadonlyArray<OperationForm<object>> =>
  rows.map((_, at) =>
    makeOperationForm(
      { name: list, input: item },
      Object.fromEntries(
        Object.entries(fields(at, rows)).map(([path, spec]) => {
          const options = typeof spec === "string" ? { label: spec } : spec
          return [path, { ...options, name: `${list}.${at}.${options.name ?? path}` }]
        })
      ),
      { omitsEmpty: true }
    )
  )

/** Formats a list's items as form values. */
export const toFormValues = (
  rowList: RowListDefinition,
  items: ReadonlyArray<Readonly<Record<string, unknown>>>,
  currency: string
): Typed => {
  const rows = items.map((item) =>
    Object.fromEntries(
      Object.entries(item).flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : [])
    )
  )
  return Object.assign(
    withRows({}, rowList, rows),
    ...makeRowForms(rowList, rows).flatMap(({ fields }, at) =>
      fields.map((field) => field.kind.format(field, items[at]?.[field.path] ?? field.json.default, currency))
    )
  )
}

/** Applies one of the buttons in `Rows` to the typed values, or returns undefined for any other button. */
export const applyRowButton = (values: Typed, lists: ReadonlyArray<RowListDefinition>): Typed | undefined => {
  const [action, path, at = ""] = (values["do"] ?? "").split(" ")
  const rowList = lists.find(({ list }) => list === path)
  if (rowList === undefined) return undefined
  const rows = parseTypedRows(values, rowList)
  const row = rows[Number(at)]
  if (action === "add") return withRows(values, rowList, [...rows, rowList.blank])
  if (row === undefined) return undefined
  const otherRows = rows.filter((one) => one !== row)
  return withRows(
    values,
    rowList,
    action === "up" ? otherRows.toSpliced(Math.max(0, Number(at) - 1), 0, row) : otherRows
  )
}

export const readRows = (
  rowList: RowListDefinition,
  context: PageContext
): Effect.Effect<ReadonlyArray<object>, Refusal<"invalid_request">> => {
  const rows = parseTypedRows(context.form, rowList)
  const form = withRows(context.form, rowList, rows)
  return Effect.forEach(makeRowForms(rowList, rows), ({ read }, at) =>
    // A row without a name gets a placeholder ID, so its error is about the missing name.
    Effect.map(read({ ...context, form }), (item) => ({ id: rows[at]?.["id"] || "unnamed", ...item })))
}

/** Decodes parsed rows, with the same error messages as an operation. */
export const decodeRows = <A, I>(schema: Schema.Schema<A, I>, input: object) =>
  Effect.mapError(Schema.decodeUnknown(schema)(input), toInvalidRequest)

/** A card with a list's rows. */
export const RowListCard = ({ children, empty, of, state: { error, typedValues }, title }: {
  readonly of: RowListDefinition
  readonly title: string
  /** The text for an empty list. */
  readonly empty: string
  readonly state: FormState
  /** The explanation below the heading. */
  readonly children?: ComponentChildren
}) => {
  const { list, max, noun } = of
  const rows = parseTypedRows(typedValues, of)
  const id = list.replaceAll(".", "-")
  return (
    <Card id={id} title={title}>
      {children}
      {rows.length === 0 && <EmptyNote>{empty}</EmptyNote>}
      <ul class="rows">
        {makeRowForms(of, rows).map(({ fields }, at) => {
          const label = `${noun} ${at + 1}`
          const name = rows[at]?.["name"] || label.toLowerCase()
          return (
            <li key={at}>
              <fieldset class="item grow">
                <legend class="label">{label}</legend>
                <div class="fields">
                  {fields.map((field) => (
                    <FieldControl key={field.name} field={field} typed={typedValues} error={error(field.name)} />
                  ))}
                </div>
                <HiddenFields values={{ [`${list}.${at}.id`]: rows[at]?.["id"] }} />
                <p class="acts">
                  {at > 0 && (
                    <RowButton value={`up ${list} ${at}`} to={id} label={`Move up: ${name}`} isPlain>Move up</RowButton>
                  )}
                  <RowButton value={`remove ${list} ${at}`} to={id} label={`Remove: ${name}`} isPlain>Remove</RowButton>
                </p>
              </fieldset>
            </li>
          )
        })}
      </ul>
      {rows.length < max && (
        <p class="pad">
          <RowButton value={`add ${list}`} to={id}>{`Add ${noun.toLowerCase()}`}</RowButton>
        </p>
      )}
    </Card>
  )
}

/** A hidden button for the Enter key, which presses a form's first button. */
export const DefaultButton = () => (
  <button class="sr" name="do" value="save" tabIndex={-1} aria-hidden="true">Save</button>
)

/** Submits the form without saving and shows the page again. */
export const RowButton = ({ children, isPlain = false, label, to, value }: {
  readonly value: string
  /** The ID of the section to scroll to. */
  readonly to: string
  readonly label?: string
  readonly isPlain?: boolean
  readonly children: ComponentChildren
}) => (
  <button
    class={isPlain ? "btn plain" : "btn"}
    name="do"
    value={value}
    formAction={`${getPageUrl(usePage())}#${to}`}
    formNoValidate
    aria-label={label}
  >
    {children}
  </button>
)
