/**
 * One of several, in a list that opens.
 *
 * @category views
 */
export const Choose = ({ label, name, options, value }: {
  /** Its name in the form, and its id. */
  readonly name: string
  readonly label: string
  readonly options: ReadonlyArray<readonly [value: string, label: string]>
  readonly value: string | undefined
}) => (
  <p class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {options.map(([one, label]) => <option key={one} value={one} selected={one === value}>{label}</option>)}
    </select>
  </p>
)
