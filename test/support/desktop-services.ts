import { EventEmitter } from 'node:events';
import { z } from 'zod';
import type { TestBus } from './message-bus.ts';

// These are the parts of a Linux desktop that the desk uses over the session's or the system's bus,
// as freedesktop.org describes them. Each works like a desktop's own for one program.

export interface Notice {
  readonly title: string;
  readonly body: string;
  /** Clicks the notification like a user. */
  click(): void;
}

const notifications = {
  name: 'org.freedesktop.Notifications',
  path: '/org/freedesktop/Notifications',
} as const;

/** Serves notifications: it records each one and shows none. */
export async function serveNotifications(bus: TestBus): Promise<readonly Notice[]> {
  const { name, path } = notifications;
  const shown: Notice[] = [];
  const service = {
    GetCapabilities: () => ['actions', 'body'],
    GetServerInformation: () => ['test', 'Appraiser Desk', '1', '1.2'],
    Notify(_app: string, _replaces: number, _icon: string, title: string, body: string) {
      const id = shown.length + 1;
      const click = () => bus.signal(path, name, 'ActionInvoked', 'us', [id, 'default']);
      shown.push({ title, body, click });
      return id;
    },
    CloseNotification: () => null,
  };
  await bus.serve(name, path, service, {
    name,
    methods: {
      GetCapabilities: ['', 'as'],
      GetServerInformation: ['', 'ssss'],
      Notify: ['susssasa{sv}i', 'u'],
      CloseNotification: ['u', ''],
    },
  });
  return shown;
}

export interface TrayItem {
  toolTip(): Promise<string>;
  /** Returns the texts of the item's menu. Disabled entries stand in brackets. */
  menu(): Promise<string[]>;
  /** Clicks the icon like a user. */
  activate(): Promise<void>;
  /** Chooses an entry of the menu like a user. */
  choose(label: string): Promise<void>;
}

const watcherName = 'org.kde.StatusNotifierWatcher';
const itemName = 'org.kde.StatusNotifierItem';
const itemPath = '/StatusNotifierItem';
const menuName = 'com.canonical.dbusmenu';

/** Returns the schema of a variant: a parsed signature and a value. */
const variant = <T extends z.ZodType>(of: T) =>
  z.tuple([z.unknown(), z.tuple([of])]).transform(([, [value]]) => value);

const toolTipSchema = variant(z.tuple([z.string(), z.unknown(), z.string(), z.string()]));
const properties = z
  .array(z.tuple([z.string(), variant(z.unknown())]))
  .transform((pairs) => Object.fromEntries(pairs));
const entrySchema = z
  .tuple([z.number(), properties, z.unknown()])
  .transform(([id, { label, enabled }]) => ({ id, label, isEnabled: enabled !== false }));
const layoutSchema = z.tuple([
  z.number(),
  z.tuple([z.number(), z.unknown(), z.array(variant(entrySchema))]),
]);

/** Serves the tray next to the clock. Resolves with a function that waits for a program's item. */
export async function serveTray(bus: TestBus): Promise<() => Promise<TrayItem>> {
  const registered = new EventEmitter();
  const items: string[] = [];
  const service = {
    IsStatusNotifierHostRegistered: true,
    RegisterStatusNotifierItem(item: string) {
      items.push(item);
      registered.emit('item');
      return null;
    },
  };
  await bus.serve(watcherName, '/StatusNotifierWatcher', service, {
    name: watcherName,
    methods: { RegisterStatusNotifierItem: ['s', ''] },
    properties: { IsStatusNotifierHostRegistered: 'b' },
  });
  return async () => {
    const next = EventEmitter.once(registered, 'item');
    if (items.length === 0) await next;
    return trayItem(bus, String(items[0]));
  };
}

function trayItem(bus: TestBus, owner: string): TrayItem {
  const property = async (name: string) => {
    const get = 'org.freedesktop.DBus.Properties.Get';
    const [value] = await bus.call(owner, itemPath, get, ['ss', itemName, name]);
    return value;
  };
  const menuPath = async () => variant(z.string()).parse(await property('Menu'));
  const entries = async () => {
    const all = ['iias', 0, -1, []] as const;
    const layout = await bus.call(owner, await menuPath(), `${menuName}.GetLayout`, all);
    return layoutSchema.parse(layout)[1][2];
  };
  return {
    toolTip: async () => toolTipSchema.parse(await property('ToolTip'))[2],
    menu: async () =>
      (await entries()).map(({ label, isEnabled }) =>
        isEnabled ? String(label) : `(${String(label)})`,
      ),
    async activate() {
      await bus.call(owner, itemPath, `${itemName}.Activate`, ['ii', 0, 0]);
    },
    async choose(label) {
      const entry = (await entries()).find((each) => each.label === label);
      const click = ['isvu', entry?.id ?? -1, 'clicked', ['i', 0], 0] as const;
      await bus.call(owner, await menuPath(), `${menuName}.Event`, click);
    },
  };
}

export interface LoginManager {
  /** Lets the laptop sleep and wake up. */
  sleepAndWake(): void;
}

/**
 * Serves the system's login manager, which announces sleep. It refuses every request to delay it.
 */
export async function serveLoginManager(bus: TestBus): Promise<LoginManager> {
  const path = '/org/freedesktop/login1';
  const name = 'org.freedesktop.login1.Manager';
  const refuse = () => {
    throw new Error('nothing is delayed here');
  };
  await bus.serve(
    'org.freedesktop.login1',
    path,
    { Inhibit: refuse },
    { name, methods: { Inhibit: ['ssss', 'h'] } },
  );
  return {
    sleepAndWake() {
      for (const sleeps of [true, false]) bus.signal(path, name, 'PrepareForSleep', 'b', [sleeps]);
    },
  };
}
