// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo.h"
#include "app/desktop/capture_script.h"
#include "app/desktop/capture_stops.h"
#include "app/desktop/demo_starter.h"
#include "app/desktop/keychain_store.h"
#include "app/desktop/notifier.h"
#include "app/translation/translation.h"
#include "models/actions/action_journal.h"
#include "models/audit/anchor_store.h"
#include "models/connection/connection_controller.h"
#include "models/connection/connection_fields.h"
#include "models/connection/saved_connections.h"
#include "models/format/display_text.h"
#include "models/keys/private_file.h"
#include "models/preparation.h"
#include "models/settings.h"
#include "sql/local/local_conflicts.h"
#include "sql/local/local_samples.h"
#include "sql/types/tr.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QMessageBox>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <clocale>
#include <cstdio>
#include <libpq-fe.h>
#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

void say(const QString &text)
{
    std::fprintf(stderr, "idemdesk: %s\n", qPrintable(text));
}

struct Options {
    bool demo = false;
    QString capture; ///< folder, empty: none
    QString conninfo;
    bool unverifiedPassword = false;
};

/// Nothing where the program is to end with the status given.
std::optional<Options> readOptions(const QCoreApplication &application, int *status)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(Tr::tr("A console for PostgreSQL tables that hold idempotency keys, processed messages and outbox rows."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOption({ u"demo"_s, Tr::tr("Start the private demo cluster and connect to it.") });
    parser.addOption({ u"capture"_s, Tr::tr("With --demo: write a picture of every page and dialog into this folder, and quit."), Tr::tr("DIR") });
    parser.addOption({ u"connect"_s, Tr::tr("Connect with this libpq conninfo, URI or service=NAME; a password in it is refused."), Tr::tr("CONNINFO") });
    parser.addOption({ u"unverified-password"_s,
        Tr::tr("With --connect: send the password although nothing shows that the server is the right one.") });
    parser.process(application);
    Options options { parser.isSet(u"demo"_s), parser.value(u"capture"_s), parser.value(u"connect"_s),
        parser.isSet(u"unverified-password"_s) };
    *status = 2;
    if (!options.capture.isEmpty() && !options.demo) {
        say(Tr::tr("--capture works with --demo alone."));
        return std::nullopt;
    }
    if (options.demo && !options.conninfo.isEmpty()) {
        say(Tr::tr("--demo and --connect exclude each other."));
        return std::nullopt;
    }
    if (const auto checked = models::checkConninfo(options.conninfo); !options.conninfo.isEmpty() && !checked.ok()) {
        say(checked.error().line());
        return std::nullopt;
    }
    if (!options.capture.isEmpty() && !QDir().mkpath(options.capture)) {
        say(Tr::tr("The folder %1 cannot be made.").arg(options.capture));
        *status = 1;
        return std::nullopt;
    }
    return options;
}

sql::ConnectionSettings demoConnection(const QString &conninfo)
{
    sql::ConnectionSettings settings;
    settings.name = Tr::tr("Demo");
    settings.conninfo = conninfo;
    settings.environment = sql::Environment::Development;
    return settings;
}

} // namespace

int main(int argc, char **argv)
{
    if (const auto status = app::runDemoWorkload(argc, argv)) {
        return *status;
    }
    ::umask(077); // settings, exports and saved values are the person's alone
    const bool askedOnly = std::any_of(argv + 1, argv + argc, [](const char *argument) {
        const QByteArrayView word(argument);
        return word == "--help" || word == "-h" || word == "--version" || word == "-v";
    });
    if (askedOnly) { // needs no display
        QCoreApplication terminal(argc, argv);
        QCoreApplication::setApplicationName(u"idemdesk"_s);
        QCoreApplication::setApplicationVersion(QStringLiteral(IDEMDESK_VERSION));
        int status = 0;
        readOptions(terminal, &status);
        return status;
    }
    QApplication application(argc, argv);
    // libpq's own connect errors are told apart by their English text.
    static_cast<void>(std::setlocale(LC_MESSAGES, "C"));
    QApplication::setApplicationName(u"idemdesk"_s);
    QApplication::setApplicationDisplayName(u"Idemdesk"_s);
    QApplication::setApplicationVersion(QStringLiteral(IDEMDESK_VERSION));
    QApplication::setDesktopFileName(QStringLiteral(IDEMDESK_DESKTOP_ID));
    app::installTranslations();

    int status = 0;
    const auto options = readOptions(application, &status);
    if (!options) {
        return status;
    }
    // A walk for pictures neither reads nor changes what the person set.
    QTemporaryDir scratch;
    const bool capture = !options->capture.isEmpty();
    const QString configFolder = capture ? scratch.path() : QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation);
    const QString settingsFile = configFolder + u"/idemdesk.ini"_s;
    QDir().mkpath(configFolder);
    if (const auto ours = models::claimPrivateFile(settingsFile); !ours) {
        say(ours.error().line());
        QMessageBox told(QMessageBox::Critical, QApplication::applicationDisplayName(), models::displayText(ours.error().line(), 600));
        QObject::connect(&told, &QDialog::finished, &application, [] { QApplication::exit(1); });
        told.open();
        return QApplication::exec();
    }
    QSettings store(settingsFile, QSettings::IniFormat);
    models::Settings settings(&store);
    models::SavedConnections saved(&store);
    app::KeychainStore secrets;
    models::ConnectionController connection(configFolder + u"/profiles"_s);
    ui::Theme theme(&application);
    theme.apply(settings.theme());

    const int version = PQlibVersion();
    ui::MainWindow window({ &connection, &saved, &secrets, &settings, u"%1.%2"_s.arg(version / 10'000).arg(version % 10'000),
        models::ActionJournal::defaultPath(), models::AnchorStore::defaultPath(),
        capture ? scratch.filePath(u"samples.sqlite"_s) : sql::LocalSamples::defaultPath(),
        capture ? scratch.filePath(u"conflicts.sqlite"_s) : sql::LocalConflicts::defaultPath() });
    app::Notifier notifier;
    QObject::connect(&window, &ui::MainWindow::alertRaised, &application, [&notifier](const QString &title, const QString &text) { notifier.show(title, text); });
    app::CaptureScript script(options->capture, &application);
    if (capture) {
        window.resize(1360, 840);
        app::addDemoStops(script, window, connection, settings);
        QObject::connect(&script, &app::CaptureScript::finished, &application, [&script] {
            for (const QString &failure : script.failures()) {
                say(failure);
            }
            say(Tr::tr("%n picture(s) written.", nullptr, static_cast<int>(script.files().size())));
            QApplication::exit(script.failures().isEmpty() ? 0 : 1);
        });
    }
    window.show();
    models::Preparation preparation;
    std::optional<app::DemoStarter> demo;
    if (options->demo) {
        demo.emplace(&preparation, app::Demo::defaultFolder());
        QObject::connect(&*demo, &app::DemoStarter::ready, &application, [&](const QString &conninfo) {
            if (connection.database() == nullptr) { // somebody may have connected to something else meanwhile
                connection.connectTo(demoConnection(conninfo));
            }
            if (capture) {
                script.start();
            }
        });
        QObject::connect(&*demo, &app::DemoStarter::failed, &application, [capture](const sql::Error &error) {
            say(error.line());
            if (capture) {
                QApplication::exit(1);
            }
        });
        window.showPreparation(&preparation);
        demo->start();
    } else if (!options->conninfo.isEmpty()) {
        sql::ConnectionSettings first;
        first.conninfo = options->conninfo;
        first.unverifiedPassword = options->unverifiedPassword;
        connection.connectTo(first);
    } else {
        QTimer::singleShot(0, &window, &ui::MainWindow::openConnect);
    }
    status = QApplication::exec();
    if (demo) {
        window.hide();
        connection.disconnectNow();
        if (const auto ended = demo->end(); !ended.ok()) {
            say(ended.error().line());
        }
    }
    return status;
}
