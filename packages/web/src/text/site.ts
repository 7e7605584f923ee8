/** The text shared by all pages. */
export const frameEnglish = {
  skip: "Skip to content",
  ask: "Ask a question",
  zone: (city: string) => `All times are in ${city} time.`,
  made: "Powered by Trailbook",
  otherLanguage: "Español",
  back: "Back",
  trip: {
    where: "Meeting point",
    bring: "Clothing and gear",
    requirements: "Requirements",
    age: "Minimum age",
    ageFrom: (years: number) => years === 1 ? "1 year" : `${years} years`,
    waiver: "Waiver",
    sign: "Read and sign the waiver",
    questions: "Questions?"
  },
  wrong: {
    notFound: {
      title: "Page not found",
      text: "Check the address. The page may no longer be available."
    },
    foreign: {
      title: "Request blocked",
      text: "The request came from another website, so nothing was changed. Open the page directly and try again."
    },
    owners: {
      title: "Only owners can open this page",
      text: "Ask an owner to make this change or to give you the owner role."
    },
    often: {
      title: "Too many requests",
      text: (seconds: number) =>
        seconds > 90
          ? `Wait ${Math.ceil(seconds / 60)} minutes and try again.`
          : `Wait ${seconds === 1 ? "1 second" : `${seconds} seconds`} and try again.`
    },
    unreadable: { title: "The request could not be read", text: "Go back and try again." },
    unavailable: {
      title: "Temporarily unavailable",
      text: "Try again in a moment. If you were booking, submit the same form again. You will not be booked twice."
    },
    broken: {
      title: "Something went wrong",
      text: "The error is on our side. Try again. If you were booking, submit the same form again. You will not be " +
        "booked twice.",
      id: (id: string) => `Error ID for support: ${id}`
    }
  }
}

export const frameSpanish: typeof frameEnglish = {
  skip: "Ir al contenido",
  ask: "Hacer una pregunta",
  zone: (city) => `Todos los horarios están en hora de ${city}.`,
  made: "Con la tecnología de Trailbook",
  otherLanguage: "English",
  back: "Volver",
  trip: {
    where: "Punto de encuentro",
    bring: "Qué llevar",
    requirements: "Requisitos",
    age: "Edad mínima",
    ageFrom: (years) => years === 1 ? "1 año" : `${years} años`,
    waiver: "Exención de responsabilidad",
    sign: "Leer y firmar",
    questions: "¿Preguntas?"
  },
  wrong: {
    notFound: {
      title: "Página no encontrada",
      text: "Revise la dirección. Es posible que la página ya no esté disponible."
    },
    foreign: {
      title: "Solicitud bloqueada",
      text:
        "La solicitud vino de otro sitio web, así que no se hizo ningún cambio. Abra la página directamente e intente de nuevo."
    },
    owners: {
      title: "Solo los propietarios pueden abrir esta página",
      text: "Pida a un propietario que haga este cambio o que le asigne el rol de propietario."
    },
    often: {
      title: "Demasiadas solicitudes",
      text: (seconds) =>
        seconds > 90
          ? `Espere ${Math.ceil(seconds / 60)} minutos e intente de nuevo.`
          : `Espere ${seconds === 1 ? "1 segundo" : `${seconds} segundos`} e intente de nuevo.`
    },
    unreadable: { title: "No se pudo leer la solicitud", text: "Regrese e intente de nuevo." },
    unavailable: {
      title: "No disponible por el momento",
      text: "Intente de nuevo en un momento. Si estaba reservando, vuelva a enviar el mismo formulario. " +
        "No se duplicará la reserva."
    },
    broken: {
      title: "Ocurrió un error",
      text: "El error es nuestro. Intente de nuevo. Si estaba reservando, vuelva a enviar el mismo formulario. No se " +
        "duplicará la reserva.",
      id: (id) => `ID del error para soporte: ${id}`
    }
  }
}

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
