import type { People, Tongue } from './world.ts';

const words = (text: string) => text.split(' ');

/** Of every region as seen from the others; each region knows more of its own. */
export const people: Readonly<Record<Tongue, People>> = {
  de: {
    first: words(
      'Anna Beat Claudia Daniel Elisabeth Fabian Gabriela Hans Isabelle Jürg Karin Lukas Monika Niklaus Petra Reto Silvia Thomas Ursula Vreni Walter Yvonne',
    ),
    last: words(
      'Aebischer Bühler Christen Dürrenmatt Egli Frei Gerber Hofstetter Imhof Jäggi Keller Lüthi Müller Nägeli Odermatt Pfister Rüegg Schäfer Tschudi Vögeli Wüthrich Zürcher',
    ),
    streets: [
      'Bahnhofstrasse',
      'Dorfstrasse',
      'Hauptstrasse',
      'Kirchgasse',
      'Lindenweg',
      'Mühlebachweg',
      'Rosenbergstrasse',
      'Seestrasse',
      'Sonnenrain',
      'Zürcherstrasse',
    ],
  },
  fr: {
    first: words(
      'Amélie Bernard Céline Didier Élodie François Geneviève Hervé Julien Laurence Mathieu Noémie Pascal Sébastien Valérie',
    ),
    last: words(
      'Aubert Bonvin Chappuis Dubuis Favre Girardet Jaquet Mottier Perrin Rochat Savary Thévenaz Vuilleumier',
    ),
    streets: [
      'Rue de la Gare',
      'Rue du Lac',
      'Chemin des Vignes',
      'Avenue de la Poste',
      'Grand-Rue',
    ],
  },
  it: {
    first: words('Alessia Bruno Chiara Davide Elena Fabrizio Giulia Luca Marta Paolo Sara'),
    last: words('Bernasconi Cattaneo Fontana Galli Lepori Pedrazzini Quadri Rezzonico Soldati'),
    streets: [
      'Via Cantonale',
      'Via Stazione',
      'Via San Gottardo',
      'Viale dei Tigli',
      'Via al Lago',
    ],
  },
};
