import { assistant, styles } from "../assets/generated.ts"

/**
 * Returns the page for a view of tool results. The page loads no other resources, and its content security policy
 * permits only its own script and styles. The host sends the results to the page.
 */
export const renderResultView = (name: string, currency: string): string => {
  const css = [styles.public, styles.dashboard, styles.assistant]
  const policy = `default-src 'none'; script-src ${assistant.hash}; style-src ${css.map(({ hash }) => hash).join(" ")}`
  return `<!doctype html><html lang="en" data-view="${name}" data-currency="${currency}"><head><meta charset="utf-8">` +
    `<meta http-equiv="content-security-policy" content="${policy}">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>Trailbook</title>` +
    css.map(({ text }) => `<style>${text}</style>`).join("") +
    `</head><body class="desk"></body><script type="module">${assistant.text}</script></html>`
}
