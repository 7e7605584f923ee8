/**
 * Forms derived from an operation's input (see fields.tsx), with their typed values, errors, and idempotency key. The
 * page adds labels, hints, options, and layout.
 */
import type { Refusal } from "@trailbook/core"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { Form as Typed } from "@trailbook/http/request/formBody"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { ComponentChildren } from "preact"
import { HiddenFields } from "../../ui/Field.tsx"
import { type DashboardPath, type PageContent, type PageContext, usePage } from "../Page.ts"
import { FormErrorNote, makeFormState } from "../parts/FormErrors.tsx"
import { FormButtons } from "./elements.tsx"
import { type DerivedField, deriveField, FieldControl, type FieldOptions, findProperty, parseField } from "./fields.tsx"
import { getPageUrl, type Page, page, type PageProgram, toPageEffect } from "./page.tsx"

/** The part of an operation's input that a form with the fields `F` provides. */
type FormInput<Op extends Pick<Operation.Declared, "input">, F> = Pick<
  Schema.Schema.Encoded<Op["input"]>,
  keyof F & keyof Schema.Schema.Encoded<Op["input"]>
>

export interface OperationForm<Input> {
  readonly fields: ReadonlyArray<DerivedField>
  /** A name that distinguishes several forms on one page. */
  readonly group: string | undefined
  readonly hasKey: boolean
  /** Parses the submitted fields as operation input. */
  readonly read: (context: PageContext) => Effect.Effect<Input, Refusal<"invalid_request">>
}

export const makeOperationForm = <
  Op extends Pick<Operation.Declared, "name" | "input">,
  const F extends Readonly<Record<string, string | FieldOptions>>
>(
  operation: Op,
  /**
   * The fields, keyed by their names in the operation. Each value is either just a label or all of the field's options.
   */
  specs: F,
  { group, omitsEmpty = false }: {
    readonly group?: string
    /** Whether empty optional fields are omitted instead of cleared. */
    readonly omitsEmpty?: boolean
  } = {}
): OperationForm<FormInput<Op, F>> => {
  const fields = Object.entries<string | FieldOptions>(specs).map(([path, spec]) =>
    deriveField(operation, path, typeof spec === "string" ? { label: spec } : spec)
  )
  const hasKey = findProperty(operation, "idempotency_key") !== undefined
  return {
    fields,
    group,
    hasKey,
    read: (context) =>
      Effect.gen(function*() {
        const { form } = context
        const input: Record<string, unknown> = hasKey && form["key"] !== undefined
          ? { idempotency_key: form["key"] }
          : {}
        for (const field of fields) {
          if (field.isOwn === true || omitsEmpty && !field.isRequired && form[field.name]?.trim() === "") continue
          const value = yield* parseField(field, context)
          if (value !== undefined) input[field.path] = value
        }
        // The cast only provides the field names. It is safe because the registry decodes the input again.
        return input as FormInput<Op, F>
      })
  }
}

/** Renders the named fields of a form, or all of them. */
type RenderFields = (...names: ReadonlyArray<string>) => ComponentChildren

export interface FormState {
  readonly typedValues: Typed
  readonly error: (name: string) => string | undefined
}

export interface FormProps {
  readonly of: OperationForm<unknown>
  /** The initial values, keyed by their names in the operation. */
  readonly values?: Readonly<Record<string, unknown>> | undefined
  /** Initial form values that `values` does not provide, for example for fields that the page renders itself. */
  readonly own?: Typed | undefined
  /** The button label: a verb and an object, such as "Create key". */
  readonly button: string
  readonly back?: DashboardPath | undefined
  readonly backLabel?: string | undefined
  readonly class?: string | undefined
  /** The form's heading. */
  readonly title?: string | undefined
  readonly hidden?: Readonly<Record<string, string | number | undefined>> | undefined
  /** Lays out the fields. Default: stacked vertically. */
  readonly children?: ((fields: RenderFields, state: FormState) => ComponentChildren) | undefined
}

/** A form with its errors, fields, and buttons. */
export const Form = (
  { back, backLabel, button, children = (fields) => fields(), class: name, hidden, of, own, title, values = {} }:
    FormProps
) => {
  const context = usePage()
  const { org, rejection } = context
  const action = getPageUrl(context)
  const { fields, group, hasKey } = of
  const initialValues: Typed = Object.assign(
    {},
    ...fields.map((field) => field.kind.format(field, values[field.path] ?? field.json.default, org.currency)),
    own
  )
  const rejectedForm = group === undefined || rejection?.form["group"] === group ? rejection : undefined
  const choices = fields.flatMap(({ name, options }) =>
    options === undefined || initialValues[name] === undefined ? [] : [[name, initialValues[name]]]
  )
  const { key, mistakes, typed } = makeFormState(
    rejectedForm && { ...rejectedForm, form: { ...Object.fromEntries(choices), ...rejectedForm.form } },
    Object.fromEntries(fields.map(({ label, name }) => [name, label])),
    initialValues,
    Object.fromEntries(fields.map(({ name, path }) => [path, name]))
  )
  const renderFields: RenderFields = (...names) =>
    fields.filter(({ isOwn, path }) => isOwn !== true && (names.length === 0 || names.includes(path))).map((field) => (
      <FieldControl key={field.path} field={field} typed={typed} error={mistakes.of(field.name)} />
    ))
  const content = (
    <>
      <FormErrorNote of={mistakes} />
      {children(renderFields, { typedValues: typed, error: mistakes.of })}
      <HiddenFields values={{ ...hidden, group, key: hasKey ? key : undefined }} />
      <FormButtons
        button={button}
        label={group !== undefined && title !== undefined ? `${button}: ${title}` : undefined}
        back={back}
        backLabel={backLabel}
      />
    </>
  )
  if (title === undefined) {
    return <form class={name ?? "card pad stack form"} method="post" action={action} data-once="">{content}</form>
  }
  const id = group && `${group}-title`
  return (
    <form
      class={name ?? "card"}
      method="post"
      action={id === undefined ? action : `${action}#${id}`}
      aria-labelledby={id}
      data-once=""
    >
      <header>
        <h2 id={id}>{title}</h2>
      </header>
      <div class="pad stack">{content}</div>
    </form>
  )
}

/** Defines a page with a single form. `view` returns the form's properties, and `submit` receives the parsed input. */
export const formPage = <
  Op extends Pick<Operation.Declared, "name" | "input">,
  const F extends Readonly<Record<string, string | FieldOptions>>
>(
  path: DashboardPath,
  operation: Op,
  { fields, omitsEmpty = false, submit, view, ...options }: Omit<Parameters<typeof page>[1], "view" | "submit"> & {
    readonly fields: F
    readonly omitsEmpty?: boolean
    readonly view: (context: PageContext) => PageProgram<Omit<PageContent, "body"> & Omit<FormProps, "of">>
    readonly submit: (context: PageContext, input: FormInput<Op, F>) => PageProgram<`/${string}` | PageContent>
  }
): Page => {
  const of = makeOperationForm(operation, fields, { omitsEmpty })
  return page(path, {
    ...options,
    view: (context) =>
      Effect.map(
        toPageEffect(view, context),
        ({ back, backLabel, button, children, class: name, hidden, own, values, ...content }) => ({
          ...content,
          body: <Form {...{ of, back, backLabel, button, children, class: name, hidden, own, values }} />
        })
      ),
    submit: (context) =>
      Effect.flatMap(of.read(context), (input) => toPageEffect((context) => submit(context, input), context))
  })
}
