import '@homebridge/dbus-native';

// Declarations that the package's own types lack, according to its lib/bus.js.
declare module '@homebridge/dbus-native' {
  /**
   * The input and output signature of each method, and the signature of each property and signal.
   */
  interface InterfaceDescription {
    readonly name: string;
    readonly methods?: Readonly<Record<string, readonly [string, string]>>;
    readonly properties?: Readonly<Record<string, string>>;
    readonly signals?: Readonly<Record<string, readonly [string]>>;
  }

  interface Message {
    readonly destination: string;
    readonly path: string;
    readonly interface: string;
    readonly member: string;
    readonly signature?: string;
    readonly body?: readonly unknown[];
  }

  interface MessageBus {
    readonly name?: string;
    requestName(name: string, flags: number, callback: (error: unknown) => void): void;
    exportInterface(object: object, path: string, description: InterfaceDescription): void;
    sendSignal(
      path: string,
      from: string,
      name: string,
      signature: string,
      args: readonly unknown[],
    ): void;
  }

  interface BusConnection {
    end(): void;
  }

  function createClient(options: { readonly busAddress: string }): MessageBus;
}
