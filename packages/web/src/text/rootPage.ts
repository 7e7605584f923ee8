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
