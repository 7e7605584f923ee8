import type { Form } from "@trailbook/http/request/formBody"
import { isUuid } from "../../operationCaller.ts"
import { ErrorSummary } from "../../ui/Field.tsx"
import { ErrorNote } from "../kit/elements.tsx"
import type { RejectedForm } from "../Page.ts"
import { formatDuration } from "./numberFields.ts"

/** A rejected form's errors by field. `generalError` contains errors that do not belong to any field. */
export interface FormErrors {
  readonly fields: ReadonlyArray<readonly [name: string, message: string]>
  readonly generalError: string | undefined
  readonly of: (name: string) => string | undefined
}

/**
 * Parses a refusal such as `name: must be …`. `labels` contains the field labels, keyed by name or full path. `under`
 * maps operation field names to form field names if they differ.
 */
export const parseFormErrors = (
  rejectedForm: Pick<RejectedForm, "form" | "message"> | undefined,
  labels: Readonly<Record<string, string>>,
  under: Readonly<Record<string, string>> = {}
): FormErrors => {
  const [, path = "", of = "", text = ""] =
    /^(([a-z_]+)(?:\.[a-z0-9_.]+)?): (.*)$/s.exec(rejectedForm?.message ?? "") ?? []
  const name = Object.hasOwn(labels, path) ? path : under[of] ?? of
  const label = Object.hasOwn(labels, name) ? labels[name] : undefined
  return rejectedForm === undefined || label === undefined
    ? toGeneralError(rejectedForm?.message)
    : toFieldError(name, `${label}: ${inWordsOfForms(text, rejectedForm.form[`${name}_unit`] !== undefined)}.`)
}

export const toGeneralError = (message: string | undefined): FormErrors => ({
  fields: [],
  generalError: message,
  of: () => undefined
})

export const toFieldError = (name: string, message: string): FormErrors => ({
  fields: [[name, message]],
  generalError: undefined,
  of: (field) => field === name ? message : undefined
})

/** Returns the form state: typed or initial values, each field's error, and the idempotency key. */
export const makeFormState = <Name extends string>(
  rejectedForm: RejectedForm | undefined,
  labels: Readonly<Record<Name, string>>,
  fresh: Form,
  under?: Readonly<Record<string, string>>
) => {
  const mistakes = parseFormErrors(rejectedForm, labels, under)
  const values: Form = rejectedForm?.form ?? fresh
  const field = (name: Name) => ({ name, label: labels[name], value: values[name], error: mistakes.of(name) })
  const { key = "" } = values
  return {
    mistakes,
    typed: values,
    field,
    // Submitting a form with the same key again repeats the request. If the key was already used with different values,
    // the form gets a new key.
    key: isUuid(key) && rejectedForm?.code !== "idempotency_conflict" ? key : crypto.randomUUID()
  }
}

/** Rewrites API terms for forms: converts minutes to the unit that the user typed, and `null` to an empty field. */
const inWordsOfForms = (text: string, isLength: boolean): string =>
  (isLength
    ? text.replace(
      /^must be a whole number from (\d+) to (\d+)/,
      (_, from, to) => `must be ${formatDuration(Number(from))} to ${formatDuration(Number(to))}`
    )
    : text).replace(/, or null$/, ", or left empty")

export const FormErrorNote = ({ of, title = "Not saved. Check these fields:" }: {
  readonly of: FormErrors
  readonly title?: string
}) => (
  <>
    <ErrorSummary title={title} errors={of.fields} />
    {of.generalError !== undefined && <ErrorNote>{of.generalError}</ErrorNote>}
  </>
)
