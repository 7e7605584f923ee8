/** The text for the widget setup page. */
export const widgetEnglish = {
  title: "Embed the booking page",
  lead:
    "Add a script tag and an element to your website to show your booking page. The widget uses no cookies. Without JavaScript, it shows a link.",
  offering: "Activity",
  all: "All activities",
  accent: "Color",
  language: "Language",
  languages: { en: "English", es: "Español" },
  update: "Update preview",
  code: "Copy this code into your website",
  policy: "If your website sets a Content-Security-Policy header, add these sources:",
  preview: "Preview",
  link: "Book online",
  button: "Book button",
  buttonLead:
    "This single line adds a button that opens your booking page in a popup. Links to your booking page also open in the popup.",
  book: "Book now",
  close: "Close"
}

export const widgetSpanish: typeof widgetEnglish = {
  title: "Insertar la página de reservas",
  lead:
    "Agregue una etiqueta de script y un elemento a su sitio web para mostrar su página de reservas. El widget no usa cookies. Sin JavaScript, muestra un enlace.",
  offering: "Actividad",
  all: "Todas las actividades",
  accent: "Color",
  language: "Idioma",
  languages: { en: "English", es: "Español" },
  update: "Actualizar vista previa",
  code: "Copie este código en su sitio web",
  policy: "Si su sitio web envía el encabezado Content-Security-Policy, agregue estas fuentes:",
  preview: "Vista previa",
  link: "Reservar en línea",
  button: "Botón de reserva",
  buttonLead:
    "Esta sola línea agrega un botón que abre su página de reservas en una ventana emergente. Los enlaces a su página de reservas también se abren en ella.",
  book: "Reservar",
  close: "Cerrar"
}
