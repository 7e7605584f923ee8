/** The text for a server's root page. */
export const frontEnglish = {
  title: "This is a Trailbook server",
  lead:
    "Trailbook is the booking engine for outdoor outfitters. Guests book raft trips, guides, rentals, and classes " +
    "online, through the API, or with an assistant. No seat is sold twice.",
  book: (outfitter: string) => `Book at ${outfitter}`,
  bookText: "The booking page that guests see.",
  noOutfitter: "No outfitter has a booking page yet. To create one, run:",
  pages: "Each outfitter has its own booking page at",
  widget: "Embed the booking page",
  widgetText: "Get the code for your website, with a preview.",
  staff: "Dashboard",
  staffText: "Bookings, calendar, and inbox for staff. Requires sign-in.",
  reference: "API reference",
  referenceText: "Documentation for every operation, with an API console.",
  description: "OpenAPI document",
  assistants: "MCP server for assistants at",
  docs: "Documentation",
  docsText: "How to deploy Trailbook, embed it, and take payments.",
  api: {
    title: "Trailbook API",
    lead: "This is the base URL of the API. Requests require an API key.",
    reference: "Read the API reference",
    all: "Go to the home page"
  }
}

export const frontSpanish: typeof frontEnglish = {
  title: "Este es un servidor de Trailbook",
  lead: "Trailbook es el motor de reservas para empresas de aventura. Los clientes reservan rafting, guías, " +
    "alquileres y clases en línea, por la API o con un asistente. Ningún lugar se vende dos veces.",
  book: (outfitter) => `Reservar en ${outfitter}`,
  bookText: "La página de reservas que ven los clientes.",
  noOutfitter: "Ninguna empresa tiene aún una página de reservas. Para crear una, ejecute:",
  pages: "Cada empresa tiene su propia página de reservas en",
  widget: "Insertar la página de reservas",
  widgetText: "Obtenga el código para su sitio web, con vista previa.",
  staff: "Panel",
  staffText: "Reservas, calendario y mensajes para el equipo. Requiere iniciar sesión.",
  reference: "Referencia de la API",
  referenceText: "Documentación de todas las operaciones, con una consola de la API.",
  description: "Documento OpenAPI",
  assistants: "Servidor MCP para asistentes en",
  docs: "Documentación",
  docsText: "Cómo instalar Trailbook, integrarlo y recibir pagos.",
  api: {
    title: "API de Trailbook",
    lead: "Esta es la URL base de la API. Las solicitudes requieren una clave de API.",
    reference: "Leer la referencia de la API",
    all: "Ir a la página de inicio"
  }
}

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
