/** Words of the page at the root of a server, for whoever finds the server first. */
export const frontEnglish = {
  title: "This is a Trailbook server",
  lead:
    "Trailbook is the booking engine for outdoor outfitters: raft trips, guides, rentals and classes that are booked " +
    "online, by API or by an assistant, and never sold twice.",
  book: (outfitter: string) => `Book at ${outfitter}`,
  bookText: "The booking page, as guests see it.",
  noOutfitter: "No outfitter has a booking page here yet. This makes one:",
  pages: "Every outfitter here has a booking page of its own at",
  widget: "Put it on your website",
  widgetText: "One script tag and an element, with a preview.",
  staff: "Dashboard",
  staffText: "Bookings, calendar and inbox, for the outfitter's own people. You sign in first.",
  reference: "The API",
  referenceText: "Every operation, to read and to try.",
  description: "For programs: OpenAPI",
  assistants: "For assistants: MCP at",
  docs: "The documentation",
  docsText: "How to run it, embed it and take payments.",
  api: {
    title: "This address is for programs",
    lead: "Here begins the API: a program asks below this address, with an API key.",
    reference: "Read the reference",
    all: "All of this server"
  }
}

export const frontSpanish: typeof frontEnglish = {
  title: "Este es un servidor de Trailbook",
  lead: "Trailbook es el motor de reservas para empresas de aventura: descensos, guías, alquileres y clases que se " +
    "reservan en línea, por API o con un asistente, y nunca se venden dos veces.",
  book: (outfitter) => `Reservar en ${outfitter}`,
  bookText: "La página de reservas, como la ven los clientes.",
  noOutfitter: "Aquí ninguna empresa tiene todavía una página de reservas. Así se crea una:",
  pages: "Cada empresa tiene aquí su propia página de reservas en",
  widget: "Ponerla en su sitio web",
  widgetText: "Una etiqueta de script y un elemento, con vista previa.",
  staff: "Panel",
  staffText: "Reservas, calendario y mensajes, para la gente de la empresa. Antes hay que entrar.",
  reference: "La API",
  referenceText: "Todas las operaciones, para leer y probar.",
  description: "Para programas: OpenAPI",
  assistants: "Para asistentes: MCP en",
  docs: "La documentación",
  docsText: "Cómo ponerlo en marcha, integrarlo y cobrar.",
  api: {
    title: "Esta dirección es para programas",
    lead: "Aquí empieza la API: un programa pregunta por debajo de esta dirección, con una clave.",
    reference: "Leer la referencia",
    all: "Todo lo de este servidor"
  }
}
