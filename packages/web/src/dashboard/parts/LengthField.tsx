import { type FieldProps, LabeledField } from "../../ui/Field.tsx"
import { units } from "./numbers.ts"

/** Duration field: number and unit. */
export const LengthField = (
  { typed, ...field }: FieldProps & { readonly typed: Readonly<Record<string, string>> }
) => {
  const { label, name, optional } = field
  return (
    <LabeledField {...field}>
      {(described) => (
        <div class="pair">
          <input
            {...described}
            id={name}
            name={name}
            type="text"
            inputMode="decimal"
            required={optional === undefined}
            value={typed[name] ?? ""}
          />
          <select name={`${name}_unit`} aria-label={`${label}: unit`}>
            {Object.keys(units).map((unit) => (
              <option key={unit} value={unit} selected={unit === typed[`${name}_unit`]}>{unit}</option>
            ))}
          </select>
        </div>
      )}
    </LabeledField>
  )
}
