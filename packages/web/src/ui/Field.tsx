import type { ComponentChildren, JSX } from "preact"

export interface FieldProps {
  /** The name of the form field, also used as its ID. */
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  readonly error?: string | undefined
  readonly hint?: string | undefined
  /** The marker next to an optional field's label. Without a marker, the field is required. */
  readonly optional?: string | undefined
}

/** A form field with its label, hint, and error, linked for screen readers. */
export const Field = (props: FieldProps & { readonly input?: JSX.IntrinsicElements["input"] }) => (
  <LabeledField {...props}>
    {(fieldProps) => (
      <input
        {...fieldProps}
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

export const TextAreaField = (props: FieldProps & { readonly rows: number; readonly maxLength: number }) => (
  <LabeledField {...props}>
    {(fieldProps) => (
      <textarea
        {...fieldProps}
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

interface DescribedField {
  readonly "aria-invalid"?: "true"
  readonly "aria-describedby"?: string
}

/** The label, hint, and error around a control, linked for screen readers. */
export const LabeledField = (
  { children, error, hint, label, name, optional }: FieldProps & {
    readonly children: (described: DescribedField) => ComponentChildren
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

/** A form's error summary, with a link to each invalid field. It receives focus when the page loads. */
export const ErrorSummary = (
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

export const HiddenFields = (
  { values }: { readonly values: Readonly<Record<string, string | number | undefined>> }
) => (
  <>
    {Object.entries(values).map(([name, value]) =>
      value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />
    )}
  </>
)
