/** The Battery Status API, which TypeScript does not know and only Chromium has. */
interface BatteryNavigator {
  getBattery?(): Promise<{ readonly charging: boolean }>;
}

/** Whether the laptop is on mains; false if the browser does not tell. */
export async function isOnMains(): Promise<boolean> {
  const battery: Navigator & BatteryNavigator = navigator;
  try {
    return (await battery.getBattery?.())?.charging ?? false;
  } catch {
    return false;
  }
}
