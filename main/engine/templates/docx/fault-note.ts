/** Notes the runs that a finding is about, while a template is shown. */
export const faultNote = 'fault';
