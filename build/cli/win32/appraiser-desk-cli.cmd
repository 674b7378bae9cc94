@echo off
rem The command line of Appraiser Desk, without a window. A script waits for its end.
"%~dp0Appraiser Desk.exe" --cli %*
exit /b %errorlevel%
