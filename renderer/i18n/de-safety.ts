/** What is kept, lost or to be decided: rare, and worth a careful word. */
export const deSafety = {
  foreign: {
    title: 'Im Entwurf beim Partner, nicht von diesem Laptop:',
    salvage: 'Restwert',
    submit: 'Trotzdem einreichen',
    submitWith: 'Mit diesen Dokumenten einreichen',
    remove: 'Zuerst entfernen, dann einreichen',
    removeTitle: 'Diese Dokumente beim Partner löschen?',
    removeText:
      'Sie werden aus dem Entwurf beim Partner gelöscht und können dort nicht zurückgeholt werden. Danach wird Ihr Bericht eingereicht.',
  },
};
