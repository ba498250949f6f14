// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QMap>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <functional>

namespace idemdesk::tests {

/// What a program left behind.
struct ProgramRun {
    int status = -1; ///< -1: it did not end in time, or crashed
    QByteArray out;
    QString err;

    QJsonObject json() const; ///< what it wrote, as one document
    QJsonArray items() const; ///< "items" of that document
    QByteArray said() const { return out + err.toUtf8(); }
};

/// How a program is run.
struct ProgramCall {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    QByteArray input; ///< what it reads on standard input
    QString folder; ///< where it runs; empty: where the test does
    int timeoutMs = 60'000;
    std::function<void()> inChild; ///< before the program begins
};

/// Runs a program to its end.
ProgramRun runProgram(const QString &program, const QStringList &arguments, const ProgramCall &call = {});

/// The environment of the test, without what names a server of the person; the program's own data go into this folder,
/// else into that of privateHome().
QProcessEnvironment privateEnvironment(const QString &dataHome = {});

} // namespace idemdesk::tests
