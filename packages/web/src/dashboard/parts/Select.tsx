import { type FieldProps, Labelled } from "../../ui/Field.tsx"

/**
 * One of a few, named by what is sent.
 *
 * @category views
 */
export const Select = (
  { options, ...field }: FieldProps & { readonly options: ReadonlyArray<readonly [value: string, label: string]> }
) => (
  <Labelled {...field}>
    {(described) => (
      <select {...described} name={field.name} id={field.name}>
        {options.map(([one, words]) => <option key={one} value={one} selected={one === field.value}>{words}</option>)}
      </select>
    )}
  </Labelled>
)
