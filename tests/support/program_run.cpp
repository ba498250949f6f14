// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"

#include "tests/support/private_home.h"

#include <QJsonDocument>
#include <QProcess>

using namespace Qt::StringLiterals;

namespace idemdesk::tests {

QJsonObject ProgramRun::json() const
{
    return QJsonDocument::fromJson(out).object();
}

QJsonArray ProgramRun::items() const
{
    return json().value(u"items"_s).toArray();
}

ProgramRun runProgram(const QString &program, const QStringList &arguments, const ProgramCall &call)
{
    QProcess process;
    process.setProcessEnvironment(call.environment);
    if (!call.folder.isEmpty()) {
        process.setWorkingDirectory(call.folder);
    }
    if (call.inChild) {
        process.setChildProcessModifier(call.inChild);
    }
    process.start(program, arguments);
    process.write(call.input);
    process.closeWriteChannel();
    ProgramRun run;
    if (process.waitForFinished(call.timeoutMs) && process.exitStatus() == QProcess::NormalExit) {
        run.status = process.exitCode();
    }
    run.out = process.readAllStandardOutput();
    run.err = QString::fromUtf8(process.readAllStandardError());
    return run;
}

QProcessEnvironment privateEnvironment(const QString &dataHome)
{
    privateHome();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString &name : { u"PGHOST"_s, u"PGDATABASE"_s, u"PGUSER"_s, u"PGSERVICE"_s, u"IDEMDESK_CONNECT"_s,
             u"IDEMDESK_TARGET"_s, u"IDEMDESK_CACHE"_s, u"IDEMDESK_CACHE_PASSWORD"_s }) {
        environment.remove(name);
    }
    if (!dataHome.isEmpty()) {
        environment.insert(u"XDG_DATA_HOME"_s, dataHome);
    }
    return environment;
}

} // namespace idemdesk::tests
