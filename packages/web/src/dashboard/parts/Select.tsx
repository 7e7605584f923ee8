import { type FieldProps, LabeledField } from "../../ui/Field.tsx"

/** Drop-down list. The options are keyed by their submitted value. */
export const Select = (
  { options, ...field }: FieldProps & { readonly options: ReadonlyArray<readonly [value: string, label: string]> }
) => (
  <LabeledField {...field}>
    {(described) => (
      <select {...described} name={field.name} id={field.name}>
        {options.map(([one, words]) => <option key={one} value={one} selected={one === field.value}>{words}</option>)}
      </select>
    )}
  </LabeledField>
)
