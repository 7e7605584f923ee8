/** Words of the page about the widget. */
export const widgetEnglish = {
  title: "Put it on your website",
  lead:
    "A script tag and an element bring your booking page into a page of your own. They work without cookies, and where scripts are off they are a link.",
  offering: "What is shown",
  all: "Everything you offer",
  accent: "Color",
  language: "Language",
  languages: { en: "English", es: "Español" },
  update: "Show it like this",
  code: "Copy this into your page",
  policy: "If your website has a Content-Security-Policy, let it have:",
  preview: "This is how it looks",
  link: "Book online"
}

export const widgetSpanish: typeof widgetEnglish = {
  title: "Póngalo en su sitio web",
  lead:
    "Una etiqueta y un elemento llevan su página de reservas a una página suya. Funcionan sin cookies y, sin scripts, son un enlace.",
  offering: "Qué se muestra",
  all: "Todo lo que ofrece",
  accent: "Color",
  language: "Idioma",
  languages: { en: "English", es: "Español" },
  update: "Mostrarlo así",
  code: "Copie esto en su página",
  policy: "Si su sitio web tiene una Content-Security-Policy, añada:",
  preview: "Así se ve",
  link: "Reservar en línea"
}
