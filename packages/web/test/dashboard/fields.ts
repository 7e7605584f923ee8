/** Returns every field of a form, as a browser would send it. */
export const fieldsOf = (html: string, action: string): Record<string, string> => {
  const form = html.split("<form").find((part) => part.includes(`action="${action}"`)) ?? ""
  const formHtml = form.slice(0, form.indexOf("</form>"))
  const fields: Record<string, string> = {}
  const text = (html: string) => html.replaceAll("&quot;", `"`).replaceAll("&lt;", "<").replaceAll("&amp;", "&")
  for (const [tag] of formHtml.matchAll(/<input(?: [a-z-]+(?:="[^"]*")?)*\s*\/?>/gi)) {
    const name = / name="([^"]*)"/.exec(tag)?.[1]
    if (name === undefined || (/type="(checkbox|radio)"/.test(tag) && !tag.includes(" checked"))) continue
    fields[name] = text(/ value="([^"]*)"/.exec(tag)?.[1] ?? "")
  }
  for (const [, name = "", value = ""] of formHtml.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>([^<]*)</g)) {
    fields[name] = text(value)
  }
  for (const [, name = "", options = ""] of formHtml.matchAll(/<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs)) {
    const all = [...options.matchAll(/<option([^>]*)>/g)].map(([, attributes = ""]) => attributes)
    fields[name] = / value="([^"]*)"/.exec(all.find((one) => one.includes("selected")) ?? all[0] ?? "")?.[1] ?? ""
  }
  return fields
}
