/** Words of every page. */
export const frameEnglish = {
  skip: "Skip to the content",
  ask: "Ask a question",
  zone: (zone: string) => `All times are local to the trip (${zone}).`,
  made: "Booking by Trailbook",
  otherLanguage: "Español",
  back: "Back",
  wrong: {
    notFound: {
      title: "There is nothing here",
      text: "The address may be mistyped, or what was here is not offered any more."
    },
    foreign: {
      title: "That came from another website",
      text: "For your safety nothing was done. Open the page itself and try again."
    },
    owners: {
      title: "Only owners may open this",
      text: "Ask an owner of your outfitter to do it, or to make you one."
    },
    often: {
      title: "Too many requests",
      text: (seconds: number) =>
        seconds > 90
          ? `Please wait ${Math.ceil(seconds / 60)} minutes and try again.`
          : `Please wait ${seconds === 1 ? "a second" : `${seconds} seconds`} and try again.`
    },
    unreadable: { title: "That could not be read", text: "Please go back and try again." },
    unavailable: {
      title: "We cannot answer right now",
      text: "Please try again in a moment. If you were booking, send the same form again: nothing is booked twice."
    },
    broken: {
      title: "Something went wrong",
      text: "It is our fault, not yours. Please try again. If you were booking, send the same form again: nothing is " +
        "booked twice.",
      id: (id: string) => `If you tell us about it, this number helps: ${id}`
    }
  }
}

export const frameSpanish: typeof frameEnglish = {
  skip: "Ir al contenido",
  ask: "Hacer una pregunta",
  zone: (zone) => `Todas las horas son locales del viaje (${zone}).`,
  made: "Reservas con Trailbook",
  otherLanguage: "English",
  back: "Volver",
  wrong: {
    notFound: {
      title: "Aquí no hay nada",
      text: "Puede que la dirección esté mal escrita o que lo que había aquí ya no se ofrezca."
    },
    foreign: {
      title: "Eso venía de otro sitio web",
      text: "Por su seguridad no se ha hecho nada. Abra la página e inténtelo de nuevo."
    },
    owners: {
      title: "Solo los propietarios pueden abrir esto",
      text: "Pida a un propietario de su empresa que lo haga o que le dé ese papel."
    },
    often: {
      title: "Demasiadas solicitudes",
      text: (seconds) =>
        seconds > 90
          ? `Espere ${Math.ceil(seconds / 60)} minutos e inténtelo de nuevo.`
          : `Espere ${seconds} segundos e inténtelo de nuevo.`
    },
    unreadable: { title: "No se ha podido leer", text: "Vuelva atrás e inténtelo de nuevo." },
    unavailable: {
      title: "Ahora no podemos responder",
      text:
        "Inténtelo de nuevo en un momento. Si estaba reservando, envíe el mismo formulario: nada se reserva dos veces."
    },
    broken: {
      title: "Algo ha salido mal",
      text: "Es culpa nuestra, no suya. Inténtelo de nuevo. Si estaba reservando, envíe el mismo formulario: nada se " +
        "reserva dos veces.",
      id: (id) => `Si nos lo cuenta, este número ayuda: ${id}`
    }
  }
}
