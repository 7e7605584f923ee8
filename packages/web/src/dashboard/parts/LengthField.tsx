import type { FieldProps } from "../../ui/Field.tsx"
import { units } from "./numbers.ts"

/**
 * A length of time: a number, and what it counts.
 *
 * @category views
 */
export const LengthField = (
  { error, hint, label, name, optional, typed }: Omit<FieldProps, "value"> & {
    readonly typed: Readonly<Record<string, string>>
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
      <div class="pair">
        <input
          id={name}
          name={name}
          type="text"
          inputMode="decimal"
          required={optional === undefined}
          value={typed[name] ?? ""}
          aria-invalid={error === undefined ? undefined : "true"}
          aria-describedby={ids.length === 0 ? undefined : ids.join(" ")}
        />
        <select name={`${name}_unit`} aria-label={`${label}: counted in`}>
          {Object.keys(units).map((unit) => (
            <option key={unit} value={unit} selected={unit === typed[`${name}_unit`]}>{unit}</option>
          ))}
        </select>
      </div>
    </div>
  )
}
