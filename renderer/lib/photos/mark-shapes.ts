import Konva from 'konva/lib/Core.js';
import { Arrow } from 'konva/lib/shapes/Arrow.js';
import { Circle } from 'konva/lib/shapes/Circle.js';
import { Ellipse } from 'konva/lib/shapes/Ellipse.js';
import { Label, Tag } from 'konva/lib/shapes/Label.js';
import { Line } from 'konva/lib/shapes/Line.js';
import { Rect } from 'konva/lib/shapes/Rect.js';
import { Text } from 'konva/lib/shapes/Text.js';
import type { Mark } from '#shared/photos/edit.ts';

/**
 * The colours are visible on light and dark paint. They are the same in every theme, because they
 * are part of the picture.
 */
export const markColourValues: Readonly<Record<Mark['colour'], string>> = {
  red: '#e5252a',
  yellow: '#ffd400',
  green: '#12a150',
  blue: '#1666e0',
  white: '#ffffff',
  black: '#111111',
};

const font = '"Segoe UI", system-ui, "Liberation Sans", Arial, sans-serif';

/** The height of the letters that match a line of this width. */
export const letterSize = (width: number): number => width * 5;

const inkOn = (colour: Mark['colour']) =>
  colour === 'yellow' || colour === 'white' ? '#111111' : '#ffffff';

/**
 * Returns a mark as a group of shapes, in units of the edit. The editor and the sent picture draw
 * marks with the same shapes. A blur is an outline here, because its pixels are made elsewhere.
 */
export function markShape(mark: Mark): Konva.Group {
  const group = new Konva.Group();
  const stroke = markColourValues[mark.colour];
  const line = { stroke, strokeWidth: mark.width, lineCap: 'round', lineJoin: 'round' } as const;
  const [x1 = 0, y1 = 0, x2 = x1, y2 = y1] = mark.points;
  const box = {
    x: Math.min(x1, x2),
    y: Math.min(y1, y2),
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
  };
  switch (mark.kind) {
    case 'arrow':
      group.add(
        new Arrow({
          ...line,
          points: [x1, y1, x2, y2],
          fill: stroke,
          pointerLength: mark.width * 4,
          pointerWidth: mark.width * 4,
        }),
      );
      break;
    case 'line':
      group.add(new Line({ ...line, points: [x1, y1, x2, y2] }));
      for (const [x, y] of [
        [x1, y1],
        [x2, y2],
      ])
        group.add(
          new Line({ ...line, points: across(x ?? 0, y ?? 0, x2 - x1, y2 - y1, mark.width) }),
        );
      if (mark.text !== '') group.add(plate(mark, (x1 + x2) / 2, (y1 + y2) / 2));
      break;
    case 'rectangle':
      group.add(new Rect({ ...line, ...box }));
      break;
    case 'circle':
      group.add(
        new Ellipse({
          ...line,
          x: box.x + box.width / 2,
          y: box.y + box.height / 2,
          radiusX: box.width / 2,
          radiusY: box.height / 2,
        }),
      );
      break;
    case 'freehand':
      group.add(new Line({ ...line, points: [...mark.points], tension: 0.3 }));
      break;
    case 'text':
      group.add(plate(mark, x1, y1));
      break;
    case 'badge': {
      const radius = mark.width * 4;
      group.add(new Circle({ x: x1, y: y1, radius, fill: stroke, stroke: '#fff', strokeWidth: 2 }));
      group.add(
        new Text({
          x: x1 - radius,
          y: y1 - radius,
          width: radius * 2,
          height: radius * 2,
          align: 'center',
          verticalAlign: 'middle',
          text: mark.text,
          fontFamily: font,
          fontStyle: 'bold',
          fontSize: letterSize(mark.width),
          fill: inkOn(mark.colour),
        }),
      );
      break;
    }
    case 'blur':
      break;
  }
  return group;
}

/** The points of a short stroke across the end of a measured line. */
function across(x: number, y: number, dx: number, dy: number, width: number): number[] {
  const scale = (width * 2.5) / (Math.hypot(dx, dy) || 1);
  return [x - dy * scale, y + dx * scale, x + dy * scale, y - dx * scale];
}

/** Draws words on a plate of the mark's colour, around their place. */
function plate(mark: Mark, x: number, y: number): Label {
  const label = new Label({ x, y });
  label.add(new Tag({ fill: markColourValues[mark.colour], cornerRadius: mark.width }));
  label.add(
    new Text({
      text: mark.text,
      fontFamily: font,
      fontStyle: '600',
      fontSize: letterSize(mark.width),
      padding: mark.width,
      fill: inkOn(mark.colour),
    }),
  );
  label.offset({ x: label.width() / 2, y: label.height() / 2 });
  return label;
}
