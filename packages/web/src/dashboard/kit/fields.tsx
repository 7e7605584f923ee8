/**
 * Form fields derived from an operation's input schema: the control, its bounds, whether it can be empty, and how the
 * typed value is parsed.
 */
import { invalid, type Refusal } from "@trailbook/core"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { Form } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import * as AST from "effect/SchemaAST"
import type { ComponentChildren } from "preact"
import { Field, type FieldProps, TextAreaField } from "../../ui/Field.tsx"
import { type PageContext, usePage } from "../Page.ts"
import {
  formatAmountInput,
  parseAmountField,
  readBasisPoints,
  readInteger,
  readMinutes,
  readOptionalNumber,
  toDurationFields
} from "../parts/numberFields.ts"
import { Checkbox, DurationField, FieldGroup, Select } from "./elements.tsx"

export type FieldChoices = ReadonlyArray<readonly [value: string, label: string, hint?: string]>

export interface FieldOptions {
  readonly label: string
  readonly hint?: string | ((context: PageContext) => string)
  /** Whether the form requires a field that is optional in the operation. */
  readonly isRequired?: boolean
  /** The meaning of an empty field. Default: `optional`, if the operation accepts an empty value. */
  readonly optional?: string
  /**
   * The accepted values. One value can be selected, or several if the field is a list. Options with hints are shown as
   * radio buttons.
   */
  readonly options?: FieldChoices | ((context: PageContext) => FieldChoices)
  /** The summary of a collapsed section around the field. The section is open if the field has a value or an error. */
  readonly summary?: string
  /** The number of lines in a text area. */
  readonly rows?: number
  /** The name in the form, if it differs from the name in the operation. */
  readonly name?: string
  /** The prefix for a list's check boxes, if it differs from the name. */
  readonly item?: string
  readonly placeholder?: string
  /** Whether the page renders and parses the field itself. If so, only the field's errors are derived. */
  readonly isOwn?: true
}

export interface DerivedField extends FieldOptions {
  /** The name in the operation. */
  readonly path: string
  readonly name: string
  readonly json: JsonSchema
  readonly kind: Kind
  readonly isRequired: boolean
  readonly isNullable: boolean
}

interface JsonSchema {
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly maximum?: number
  readonly enum?: ReadonlyArray<unknown>
  readonly default?: unknown
}

interface ControlProps {
  readonly props: FieldProps
  readonly field: DerivedField
  readonly typed: Form
  readonly options: FieldChoices | undefined
}

interface Kind {
  /** Parses a typed value that is not empty. */
  readonly parse: (field: DerivedField, context: PageContext) => Effect.Effect<unknown, Refusal<"invalid_request">>
  /** Formats a value for the form. */
  readonly format: (field: DerivedField, value: unknown, currency: string) => Form
  readonly Control: (props: ControlProps) => ComponentChildren
  /** Whether a missing value is meaningful. For example, browsers omit unchecked check boxes. */
  readonly isAlwaysRead?: true
}

export const findProperty = ({ input: { ast } }: Pick<Operation.Declared, "input">, name: string) =>
  AST.isTypeLiteral(ast) ? ast.propertySignatures.find((property) => property.name === name) : undefined

export const deriveField = (
  operation: Pick<Operation.Declared, "name" | "input">,
  path: string,
  options: FieldOptions
): DerivedField => {
  const property = findProperty(operation, path)
  if (property === undefined) throw new Error(`Invariant violated: ${operation.name} has no field ${path}`)
  const item = findItemType(property.type)
  const json = jsonSchemaOf(item ?? property.type)
  const types = [json.type ?? "object"].flat()
  const isNullable = types.includes("null")
  const { enum: values, format, minLength = 0, pattern } = json
  const canBeEmpty = types[0] === "object" ||
    types[0] === "string" && minLength === 0 && [format, pattern, values].every((one) => one === undefined)
  // In an update, omitting a field leaves it unchanged instead of clearing it, so an optional field can still require a
  // value in the form.
  const canBeAbsent = property.isOptional && json.default === undefined && !isUpdate(operation)
  return {
    ...options,
    path,
    json,
    isNullable,
    name: options.name ?? path,
    kind: item === undefined ? kindOf(path, types[0], options) : kinds.list,
    isRequired: options.isRequired ?? (!isNullable && !canBeEmpty && !canBeAbsent)
  }
}

const isUpdate = (operation: object): boolean => "method" in operation && operation.method === "PATCH"

const jsonSchemaOf = ({ annotations }: AST.AST): JsonSchema => annotations[AST.JSONSchemaAnnotationId] ?? {}

const findItemType = (ast: AST.AST): AST.AST | undefined =>
  AST.isRefinement(ast)
    ? findItemType(ast.from)
    : AST.isUnion(ast)
    ? ast.types.map(findItemType).find((item) => item !== undefined)
    : AST.isTupleType(ast)
    ? ast.rest[0]?.type
    : undefined

const resolveFieldChoices = ({ options }: FieldOptions, context: PageContext): FieldChoices | undefined =>
  typeof options === "function" ? options(context) : options

/** Parses a field as operation input, or returns undefined if the field was not sent or should not change. */
export const parseField = (field: DerivedField, context: PageContext) => {
  const { isNullable, isRequired, json, kind, name } = field
  const input = context.form[name]
  if (kind.isAlwaysRead === true) return kind.parse(field, context)
  if (input === undefined && !isRequired) return Effect.succeed(undefined)
  if ((input ?? "").trim() !== "" || isRequired) return kind.parse(field, context)
  return isNullable
    ? Effect.succeed(null)
    : json.enum === undefined && json.format === undefined
    ? kind.parse(field, context)
    : Effect.succeed(undefined)
}

/** Renders a field with its label, hint, error, and typed value. */
export const FieldControl = ({ error, field, typed }: {
  readonly field: DerivedField
  readonly typed: Form
  readonly error: string | undefined
}) => {
  const { hint, isRequired, kind, label, name } = field
  const context = usePage()
  const optional = field.optional ?? (isRequired || isColor(field) ? undefined : "optional")
  const control = (
    <kind.Control
      field={field}
      typed={typed}
      options={resolveFieldChoices(field, context)}
      props={{
        name,
        label,
        error,
        optional,
        hint: typeof hint === "function" ? hint(context) : hint,
        value: typed[name]
      }}
    />
  )
  return field.summary === undefined ? control : (
    <details
      open={error !== undefined ||
        (kind === kinds.list
          ? Object.keys(typed).some((key) => key.startsWith(`${name}_`))
          : (typed[name] ?? "") !== "")}
    >
      <summary>{field.summary}</summary>
      {control}
    </details>
  )
}

const isColor = ({ json: { pattern = "" } }: DerivedField): boolean => pattern.startsWith("^#")

const ChoiceOrInput = ({ field, options, props, typed }: ControlProps) => {
  const { json, kind, rows } = field
  if (options?.some(([, , hint]) => hint !== undefined) === true) {
    return (
      <fieldset id={props.name} class="stack tight">
        <legend class="label">{props.label}</legend>
        {props.error !== undefined && <p class="bad small">{props.error}</p>}
        {options.map(([value, label, hint]) => (
          <label key={value} class="option">
            <input type="radio" name={props.name} value={value} checked={typed[props.name] === value} />
            <span>
              <b>{label}</b> {hint}
            </span>
          </label>
        ))}
        {props.hint !== undefined && <p class="hint">{props.hint}</p>}
      </fieldset>
    )
  }
  if (options !== undefined) {
    return <Select {...props} optional={undefined} options={options.map(([value, label]) => [value, label])} />
  }
  if (rows !== undefined) return <TextAreaField {...props} rows={rows} maxLength={json.maxLength ?? 16_384} />
  const size = json.maxLength === undefined ? {} : { maxLength: json.maxLength }
  const attributes = kind === kinds.integer
    ? { inputMode: "numeric", maxLength: String(json.maximum ?? 1e9).length } as const
    : kind === kinds.amount || kind === kinds.percent
    ? { inputMode: "decimal", maxLength: 30 } as const
    : kind === kinds.number
    // On some phones, the decimal keyboard has no minus sign.
    ? { inputMode: "text", maxLength: 20 } as const
    : json.format === "email"
    ? { ...size, type: "email", spellcheck: false } as const
    : json.format === "date"
    ? { type: "date" } as const
    : json.pattern?.includes("24:00")
    ? { type: "time" } as const
    : isColor(field)
    ? { type: "color", class: "color" } as const
    // `clearable` drops the URL format, but only URLs have this maximum length.
    : json.format === "uri" || json.maxLength === 2000
    ? { ...size, type: "url", spellcheck: false, placeholder: field.placeholder } as const
    : field.path === "phone"
    ? { ...size, type: "tel" } as const
    : { ...size, dir: "auto" } as const
  return <Field {...props} input={{ ...attributes, autocomplete: "off" }} />
}

const formatText = ({ name }: DerivedField, value: unknown): Form => ({
  [name]: typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : ""
})

const kinds = {
  text: { parse: ({ name }, { form }) => Effect.succeed(form[name] ?? ""), format: formatText, Control: ChoiceOrInput },
  integer: { parse: ({ name }, { form }) => readInteger(form, name), format: formatText, Control: ChoiceOrInput },
  number: { parse: ({ name }, { form }) => readOptionalNumber(form, name), format: formatText, Control: ChoiceOrInput },
  amount: {
    parse: ({ name }, { form, org }) => parseAmountField(form, name, org.currency),
    format: ({ name }, value, currency) => ({
      [name]: typeof value === "number" ? formatAmountInput(value, currency) : ""
    }),
    Control: ChoiceOrInput
  },
  percent: {
    parse: ({ name }, { form }) => readBasisPoints(form, name),
    format: ({ name }, value) => ({ [name]: typeof value === "number" ? String(value / 100) : "" }),
    Control: ChoiceOrInput
  },
  minutes: {
    parse: ({ name }, { form }) => readMinutes(form, name),
    format: ({ name }, value) => typeof value === "number" ? toDurationFields(name, value) : { [name]: "" },
    Control: ({ props, typed }) => <DurationField {...props} typed={typed} />
  },
  boolean: {
    parse: ({ name }, { form }) => Effect.succeed(form[name] === "on"),
    format: ({ name }, value) => ({ [name]: value === true ? "on" : "" }),
    Control: ({ props: { hint, label, name }, typed }) => (
      <Checkbox name={name} label={label} hint={hint} checked={typed[name] === "on"} />
    ),
    isAlwaysRead: true
  },
  list: {
    parse: ({ item, name, ...field }, context) =>
      Effect.succeed(
        (resolveFieldChoices(field, context) ?? []).map(([value]) => value)
          .filter((value) => context.form[`${item ?? name}_${value}`] === "on")
      ),
    format: ({ item, name }, value) =>
      Object.fromEntries(Array.isArray(value) ? value.map((one) => [`${item ?? name}_${String(one)}`, "on"]) : []),
    Control: ({ field, options = [], props: { error, label, name }, typed }) => (
      <FieldGroup id={name} label={label} error={error}>
        {options.map(([value, label, hint]) => {
          const key = `${field.item ?? name}_${value}`
          return <Checkbox key={key} name={key} label={label} hint={hint} checked={typed[key] === "on"} />
        })}
      </FieldGroup>
    ),
    isAlwaysRead: true
  },
  object: {
    parse: ({ name }, { form }) => parseMetadata(form[name] ?? ""),
    format: ({ name }, value) => ({
      [name]: isObject(value) && Object.keys(value).length > 0 ? JSON.stringify(value, undefined, 2) : ""
    }),
    Control: ({ field, props }) => <TextAreaField {...props} rows={field.rows ?? 3} maxLength={16_384} />
  }
} satisfies Readonly<Record<string, Kind>>

const parseMetadata = (text: string) => {
  if (text.trim() === "") return Effect.succeed<unknown>({})
  return Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => invalid(`metadata: must be a JSON object, such as {"boat": "red"}`)
  })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Returns the kind of a field. The unit of a number is part of the field's name. */
const kindOf = (path: string, type: string | undefined, { options }: FieldOptions): Kind => {
  if (type === "integer" && /(?:^|_)cents$/.test(path)) return kinds.amount
  if (type === "integer" && path.endsWith("_bps")) return kinds.percent
  if (type === "integer" && path.endsWith("_minutes") && options === undefined) return kinds.minutes
  return type === "integer" || type === "number" || type === "boolean" || type === "object" ? kinds[type] : kinds.text
}
