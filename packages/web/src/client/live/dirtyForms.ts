// What somebody has typed or chosen and not sent yet: a page that is renewed leaves it alone.

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const fields = "input, select, textarea"

export const isField = (node: Node): node is Field => node instanceof Element && node.matches(fields)

const isChanged = (field: Field): boolean => {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options]
    // Where the page chose none, a browser chooses the first.
    return options.some(({ defaultSelected }) => defaultSelected)
      ? options.some(({ defaultSelected, selected }) => selected !== defaultSelected)
      : !field.multiple && field.selectedIndex > 0
  }
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked
  if (field.type === "file") return (field.files?.length ?? 0) > 0
  return field.type !== "hidden" && field.value !== field.defaultValue
}

const isInHand = (field: Field): boolean => field === document.activeElement || isChanged(field)

/** A form that somebody is at keeps all its fields, those that nobody sees included: they belong to what was typed. */
export const isActiveForm = (field: Field): boolean =>
  field.form === null ? isInHand(field) : [...field.form.elements].some((one) => isField(one) && isInHand(one))

/** Whether something is lost when this goes. */
export const hasUnsavedInput = (node: Node): boolean =>
  isField(node)
    ? isInHand(node)
    : node instanceof Element && [...node.querySelectorAll<Field>(fields)].some(isInHand)
