/** Words of signing in, and of letting assistants in. */
export const signInEnglish = {
  title: "Sign in",
  lead: "Type your e-mail address, and we send you a link that signs you in.",
  leadsTo: {
    dashboard: "It opens the dashboard of your outfitter: bookings, calendar, inbox and all settings.",
    assistant: "After that you say what the assistant may do."
  },
  email: "E-mail address",
  wrongEmail: "Type one whole address, such as ann@example.com.",
  send: "Send me a link",
  sent: {
    title: "Look into your mail",
    text: (email: string) =>
      `If ${email} belongs to somebody of the staff, a link is on its way. It can be used once, in the next 15 minutes.`,
    again: "Nothing came? Look among the junk, or ask again."
  },
  link: {
    title: "One more step",
    text: (email: string) => `Press the button to sign in as ${email}.`,
    button: "Sign in"
  },
  over: {
    title: "This link does not work any more",
    text: "Each link signs in once, within 15 minutes. Ask for a new one.",
    button: "Ask for a new link"
  },
  nowhere: {
    title: "Nobody can sign in here yet",
    text: "The server was not told the address that it is reached at. Start it with --public-url."
  },
  out: "Sign out",
  as: (email: string) => `Signed in as ${email}`,
  connect: {
    title: (org: string) => `Let an assistant into ${org}?`,
    at: "An assistant at",
    names: (name: string) => `It calls itself “${name}”. Nobody has checked that.`,
    back: (host: string) => `You go back to ${host}.`,
    local: "It says that it runs on this computer. Go on only if you started it yourself just now.",
    may: "It may",
    scopes: {
      read: { word: "see", what: "offerings, availability, bookings" },
      write: { word: "change", what: "book, move and cancel, change what is offered" },
      admin: { word: "administer", what: "change the outfitter's settings; with what guests gave, export everything" }
    },
    personal: {
      word: "see what guests gave",
      what: "names, e-mail addresses, phone numbers, notes; messages to and from them; what the ops agent proposes"
    },
    allow: "Let it in",
    deny: "Cancel",
    ends: "You can disconnect it at any time.",
    tick: "Tick at least one thing that it may do.",
    ownersOnly: {
      title: "Ask an owner",
      text: (org: string) => `Only an owner of ${org} can let an assistant in.`
    },
    onTo: { title: "Back to the assistant", link: "Go on if nothing happens" },
    wrong: {
      title: "This assistant cannot be connected",
      text: "Its request is not valid. Send this message to its developer:",
      back: (host: string) => `Return to ${host}`
    }
  }
}

export const signInSpanish: typeof signInEnglish = {
  title: "Entrar",
  lead: "Escriba su correo electrónico y le enviaremos un enlace para entrar.",
  leadsTo: {
    dashboard: "Abre el panel de su empresa: reservas, calendario, mensajes y todos los ajustes.",
    assistant: "Después dice qué podrá hacer el asistente."
  },
  email: "Correo electrónico",
  wrongEmail: "Escriba una dirección completa, como ana@example.com.",
  send: "Enviarme un enlace",
  sent: {
    title: "Mire su correo",
    text: (email) =>
      `Si ${email} es de alguien del equipo, un enlace va de camino. Sirve una vez, en los próximos 15 minutos.`,
    again: "¿No llegó nada? Mire entre el correo no deseado o pídalo otra vez."
  },
  link: {
    title: "Un paso más",
    text: (email) => `Pulse el botón para entrar como ${email}.`,
    button: "Entrar"
  },
  over: {
    title: "Este enlace ya no funciona",
    text: "Cada enlace sirve una vez, durante 15 minutos. Pida otro.",
    button: "Pedir otro enlace"
  },
  nowhere: {
    title: "Aquí todavía no puede entrar nadie",
    text: "El servidor no sabe en qué dirección está. Inícielo con --public-url."
  },
  out: "Salir",
  as: (email) => `Sesión de ${email}`,
  connect: {
    title: (org) => `¿Dejar entrar a un asistente en ${org}?`,
    at: "Un asistente en",
    names: (name) => `Se llama a sí mismo «${name}». Nadie lo ha comprobado.`,
    back: (host) => `Después vuelve a ${host}.`,
    local: "Dice que funciona en este ordenador. Siga solo si acaba de iniciarlo usted.",
    may: "Podrá",
    scopes: {
      read: { word: "ver", what: "actividades, disponibilidad, reservas" },
      write: { word: "cambiar", what: "reservar, mover y cancelar, cambiar lo que se ofrece" },
      admin: { word: "administrar", what: "cambiar los ajustes; con los datos de clientes, exportarlo todo" }
    },
    personal: {
      word: "ver lo que dieron los clientes",
      what: "nombres, correos, teléfonos, notas; mensajes con ellos; lo que propone el agente"
    },
    allow: "Dejarlo entrar",
    deny: "Cancelar",
    ends: "Puede desconectarlo cuando quiera.",
    tick: "Marque al menos una cosa que podrá hacer.",
    ownersOnly: {
      title: "Pregunte a un propietario",
      text: (org) => `Solo un propietario de ${org} puede dejar entrar a un asistente.`
    },
    onTo: { title: "De vuelta al asistente", link: "Siga si no pasa nada" },
    wrong: {
      title: "No se puede conectar este asistente",
      text: "La solicitud no es válida. Envíe este mensaje a quien lo desarrolla:",
      back: (host) => `Volver a ${host}`
    }
  }
}
