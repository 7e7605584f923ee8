import type { ComponentChildren, JSX } from "preact"
import { trapName } from "./trapName.ts"

export interface FieldProps {
  /** Its name in the form, and its id. */
  readonly name: string
  readonly label: string
  /** What was typed. */
  readonly value?: string | undefined
  /** What is wrong with it. */
  readonly error?: string | undefined
  readonly hint?: string | undefined
  /** Said beside the label of a field that may be left empty; without it the field is required. */
  readonly optional?: string | undefined
}

/** A line of a form: label, hint, what is wrong, and the field, tied together. */
export const Field = (props: FieldProps & { readonly input?: JSX.IntrinsicElements["input"] }) => (
  <LabeledField {...props}>
    {(described) => (
      <input
        {...described}
        required={props.optional === undefined}
        name={props.name}
        id={props.name}
        value={props.value ?? ""}
        type="text"
        {...props.input}
      />
    )}
  </LabeledField>
)

/** Several lines of text. */
export const TextField = (props: FieldProps & { readonly rows: number; readonly maxLength: number }) => (
  <LabeledField {...props}>
    {(described) => (
      <textarea
        {...described}
        required={props.optional === undefined}
        name={props.name}
        id={props.name}
        rows={props.rows}
        maxLength={props.maxLength}
        dir="auto"
      >
        {props.value ?? ""}
      </textarea>
    )}
  </LabeledField>
)

interface Described {
  readonly "aria-invalid"?: "true"
  readonly "aria-describedby"?: string
}

/** What is around a control: its label, a hint, and what is wrong with it, tied to it. */
export const LabeledField = (
  { children, error, hint, label, name, optional }: FieldProps & {
    readonly children: (described: Described) => ComponentChildren
  }
) => {
  const ids = [...hint === undefined ? [] : [`${name}-hint`], ...error === undefined ? [] : [`${name}-error`]]
  return (
    <div class="field">
      <label for={name}>
        {label}
        {optional !== undefined && <span class="hint">{` (${optional})`}</span>}
      </label>
      {hint !== undefined && <span class="hint" id={`${name}-hint`}>{hint}</span>}
      {error !== undefined && <span class="bad" id={`${name}-error`}>{error}</span>}
      {children({
        ...(error === undefined ? {} : { "aria-invalid": "true" as const }),
        ...(ids.length === 0 ? {} : { "aria-describedby": ids.join(" ") })
      })}
    </div>
  )
}

/** What is wrong with a form, in one place: each is a link to its field. It takes the focus when the page is there. */
export const Problems = (
  { errors, title }: {
    readonly title: string
    readonly errors: ReadonlyArray<readonly [name: string, message: string]>
  }
) =>
  errors.length === 0 ? null : (
    <div class="note wrong" role="alert" tabIndex={-1} data-focus="">
      <p>{title}</p>
      <ul>
        {errors.map(([name, message]) => (
          <li key={name}>
            <a href={`#${name}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  )

/** What travels with a form unseen. */
export const Hidden = ({ values }: { readonly values: Readonly<Record<string, string | number | undefined>> }) => (
  <>
    {Object.entries(values).map(([name, value]) =>
      value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />
    )}
  </>
)

/** The signed state of a form, and a field that people do not see but programs that fill in everything do. */
export const HoneypotField = ({ label, state }: { readonly label: string; readonly state: string }) => (
  <>
    <input type="hidden" name="shown" value={state} />
    <div class="trap" aria-hidden="true">
      <label for={trapName}>{label}</label>
      <input
        id={trapName}
        name={trapName}
        type="text"
        tabIndex={-1}
        autocomplete="off"
        data-1p-ignore=""
        data-bwignore=""
        data-lpignore="true"
        value=""
      />
    </div>
  </>
)
