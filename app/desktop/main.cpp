// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo.h"
#include "app/demo/demo_statement.h"
#include "app/desktop/capture_script.h"
#include "app/desktop/capture_stops.h"
#include "app/desktop/demo_starter.h"
#include "app/desktop/desktop_scheme.h"
#include "app/desktop/keychain_store.h"
#include "app/desktop/notifier.h"
#include "app/desktop/window_set.h"
#include "app/translation/translation.h"
#include "models/actions/action_journal.h"
#include "models/audit/anchor_store.h"
#include "models/connection/connection_controller.h"
#include "models/connection/connection_fields.h"
#include "models/connection/saved_connections.h"
#include "models/format/display_text.h"
#include "models/groups/group_store.h"
#include "models/keys/private_file.h"
#include "models/preparation.h"
#include "models/provider/statement_map.h"
#include "models/settings.h"
#include "sql/local/local_conflicts.h"
#include "sql/local/local_samples.h"
#include "sql/types/tr.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"
#include "ui/window/tour.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
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
    QStringList captureParts; ///< none: all
    QString conninfo;
    QString group; ///< file or name, empty: none
    bool unverifiedPassword = false;
    bool kiosk = false; ///< full screen, the first page alone
};

void declareOptions(QCommandLineParser *parser)
{
    parser->setApplicationDescription(
        Tr::tr("A console for PostgreSQL tables that hold idempotency keys, processed messages and outbox rows."));
    parser->addHelpOption();
    parser->addVersionOption();
    parser->addOption({ u"demo"_s, Tr::tr("Start the private demo cluster and connect to it.") });
    parser->addOption({ u"capture"_s,
        Tr::tr("With --demo: write a picture of every page and dialog into this folder, and quit."), Tr::tr("DIR") });
    parser->addOption({ u"capture-parts"_s,
        Tr::tr("With --capture: only these of %1.").arg(app::captureParts().join(u", "_s)), Tr::tr("PARTS") });
    parser->addOption(
        { u"connect"_s, Tr::tr("Connect with this libpq conninfo, URI or service=NAME; a password in it is refused."),
            Tr::tr("CONNINFO") });
    parser->addOption({ u"group"_s,
        Tr::tr("Open this group of databases: a JSON file, or the name of a saved group. A file of that name counts."),
        Tr::tr("FILE|NAME") });
    parser->addOption({ u"unverified-password"_s,
        Tr::tr("With --connect: send the password although nothing shows that the server is the right one.") });
    parser->addOption({ u"kiosk"_s, Tr::tr("Show what needs a person on the whole screen, and read it by itself.") });
}

/// Why the options cannot be followed, or nothing.
QString refused(const Options &options)
{
    if (!options.capture.isEmpty() && !options.demo) {
        return Tr::tr("--capture works with --demo alone.");
    }
    const QStringList parts = app::captureParts();
    for (const QString &part : options.captureParts) {
        if (options.capture.isEmpty() || !parts.contains(part)) {
            return Tr::tr("--capture-parts takes, with --capture: %1.").arg(parts.join(u", "_s));
        }
    }
    if (options.demo && !options.conninfo.isEmpty()) {
        return Tr::tr("--demo and --connect exclude each other.");
    }
    if (!options.group.isEmpty() && (options.demo || !options.conninfo.isEmpty())) {
        return Tr::tr("--group stands alone: without --demo and --connect.");
    }
    if (const auto checked = models::checkConninfo(options.conninfo); !options.conninfo.isEmpty() && !checked.ok()) {
        return checked.error().line();
    }
    return {};
}

/// Nothing where the program is to end with the status given.
std::optional<Options> readOptions(const QCoreApplication &application, int *status)
{
    QCommandLineParser parser;
    declareOptions(&parser);
    parser.process(application);
    Options options { parser.isSet(u"demo"_s), parser.value(u"capture"_s),
        parser.value(u"capture-parts"_s).split(u',', Qt::SkipEmptyParts), parser.value(u"connect"_s),
        parser.value(u"group"_s), parser.isSet(u"unverified-password"_s), parser.isSet(u"kiosk"_s) };
    if (const QString why = refused(options); !why.isEmpty()) {
        say(why);
        *status = 2;
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

/// Says why the settings cannot be had, in the terminal and in a box, and ends.
int endWith(const sql::Error &error)
{
    say(error.line());
    QMessageBox told(
        QMessageBox::Critical, QApplication::applicationDisplayName(), models::displayText(error.line(), 600));
    QObject::connect(&told, &QDialog::finished, qApp, [] { QApplication::exit(1); });
    told.open();
    return QApplication::exec();
}

/// The files of one run. A walk for pictures neither reads nor changes what the person set.
class Files
{
public:
    explicit Files(bool capture)
        : m_capture(capture)
        , m_config(capture ? m_scratch.path() : QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation))
    {
        QDir().mkpath(m_config);
    }

    QString settings() const { return m_config + u"/idemdesk.ini"_s; }
    QString profiles() const { return m_config + u"/profiles"_s; }
    QString samples() const
    {
        return m_capture ? m_scratch.filePath(u"samples.sqlite"_s) : sql::LocalSamples::defaultPath();
    }
    QString conflicts() const
    {
        return m_capture ? m_scratch.filePath(u"conflicts.sqlite"_s) : sql::LocalConflicts::defaultPath();
    }

private:
    QTemporaryDir m_scratch;
    bool m_capture;
    QString m_config;
};

QString libpqVersion()
{
    const int version = PQlibVersion();
    return u"%1.%2"_s.arg(version / 10'000).arg(version % 10'000);
}

/// Says how the walk went, once it is over, and ends the program.
void endAfter(app::CaptureScript &script)
{
    QObject::connect(&script, &app::CaptureScript::finished, qApp, [&script] {
        for (const QString &failure : script.failures()) {
            say(failure);
        }
        say(Tr::tr("%n picture(s) written.", nullptr, static_cast<int>(script.files().size())));
        QApplication::exit(script.failures().isEmpty() ? 0 : 1);
    });
}

/// The demo's cache and its provider's statement are there to be looked at, without anything to be typed.
void nameWhatStandsBeside(ui::MainWindow &window, models::ConnectionController &connection, models::Settings &settings,
    const app::DemoStatus &started)
{
    if (const auto map = models::statementMapFrom(app::demoStatementMap())) {
        settings.setStatementMap(app::kDemoProvider, *map);
    }
    window.suggestStatement(started.statement);
    const auto nameCache = [&connection, &settings, started] {
        if (connection.settings().conninfo == started.conninfo && !started.cache.isEmpty()) {
            settings.setCacheAddress(connection.title(), started.cache);
        }
    };
    QObject::connect(&connection, &models::ConnectionController::factsChanged, &window, nameCache);
    nameCache();
}

/// Connects once the demo is up, and begins the walk for pictures where one is to be made.
void followDemo(app::DemoStarter &demo, ui::MainWindow &window, models::ConnectionController &connection,
    models::Settings &settings, app::CaptureScript *script)
{
    const auto demoReady = [&window, &connection, &settings, script](const app::DemoStatus &started) {
        if (connection.database() == nullptr) { // somebody may have connected to something else meanwhile
            connection.connectTo(demoConnection(started.conninfo));
        }
        nameWhatStandsBeside(window, connection, settings, started);
        if (script != nullptr) {
            script->start();
        }
    };
    QObject::connect(&demo, &app::DemoStarter::ready, qApp, demoReady);
    QObject::connect(&demo, &app::DemoStarter::failed, qApp, [script](const sql::Error &error) {
        say(error.line());
        if (script != nullptr) {
            QApplication::exit(1);
        }
    });
}

void nameProgram()
{
    QCoreApplication::setApplicationName(u"idemdesk"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(IDEMDESK_VERSION));
}

/// Answers --help and --version, which need no display; nothing where neither is asked for.
std::optional<int> answered(int argc, char **argv)
{
    const bool askedOnly = std::any_of(argv + 1, argv + argc, [](const char *argument) {
        const QByteArrayView word(argument);
        return word == "--help" || word == "-h" || word == "--version" || word == "-v";
    });
    if (!askedOnly) {
        return std::nullopt;
    }
    const QCoreApplication terminal(argc, argv);
    nameProgram();
    int status = 0;
    readOptions(terminal, &status);
    return status;
}

/// Full screen, without what a passer-by could press.
void showOnAWall(ui::MainWindow &window)
{
    window.setKiosk(true);
    window.showFullScreen();
}

/// The group that the command line names: what stands in the folder at hand comes before what was saved.
sql::Result<std::optional<models::GroupPlaces>> namedGroup(const models::GroupStore &groups, const QString &named)
{
    if (named.isEmpty()) {
        return std::optional<models::GroupPlaces>();
    }
    if (QFileInfo(named).isFile()) {
        TRY(const auto read, groups.read(named));
        return std::optional(groups.places(read));
    }
    if (const models::SavedGroup *saved = groups.find(named)) {
        return std::optional(groups.places(*saved));
    }
    return sql::makeError(sql::ErrorKind::Usage,
        Tr::tr("There is no file and no saved group called %1.").arg(models::displayText(named)));
}

/// To what the command line names, else the person is asked.
void connectFirst(ui::MainWindow &window, models::ConnectionController &connection, const Options &options,
    const std::optional<models::GroupPlaces> &group)
{
    if (group) {
        window.openGroup(*group);
        return;
    }
    if (options.conninfo.isEmpty()) {
        QTimer::singleShot(0, &window, &ui::MainWindow::openConnect);
        return;
    }
    sql::ConnectionSettings first;
    first.conninfo = options.conninfo;
    first.unverifiedPassword = options.unverifiedPassword;
    connection.connectTo(first);
}

/// The window and what it works with, until it is closed: the exit status.
int runWindow(QApplication &application, const Options &options)
{
    const bool capture = !options.capture.isEmpty();
    const Files files(capture);
    if (const auto ours = models::claimPrivateFile(files.settings()); !ours) {
        return endWith(ours.error());
    }
    QSettings store(files.settings(), QSettings::IniFormat);
    models::Settings settings(&store);
    models::SavedConnections saved(&store);
    models::GroupStore groups(&store, &saved);
    const auto group = namedGroup(groups, options.group);
    if (!group) {
        say(group.error().line());
        return 2;
    }
    app::KeychainStore secrets;
    models::ConnectionController connection(files.profiles());
    ui::Theme theme(&application);
    theme.apply(settings.theme());
    theme.setZoom(settings.textZoom());
    app::DesktopScheme desktop(&theme);
    // The demo begins with what needs a person, as does a screen on a wall.
    const ui::WindowServices services { &connection, &saved, &secrets, &settings, libpqVersion(),
        models::ActionJournal::defaultPath(), models::AnchorStore::defaultPath(), files.samples(), files.conflicts(),
        !options.demo && !options.kiosk, &groups };
    ui::MainWindow window(services);
    app::Notifier notifier;
    app::WindowSet others(services, files.profiles(), &notifier);
    others.follow(&window);
    app::CaptureScript script(options.capture, &application);
    if (capture) {
        window.resize(1360, 840);
        app::addDemoStops(script, window, connection, settings, options.captureParts);
        endAfter(script);
    }
    options.kiosk ? showOnAWall(window) : window.show();
    models::Preparation preparation;
    std::optional<app::DemoStarter> demo;
    if (options.demo) {
        demo.emplace(&preparation, app::Demo::defaultFolder());
        followDemo(*demo, window, connection, settings, capture ? &script : nullptr);
        window.showPreparation(&preparation);
        demo->start();
        if (!capture && !options.kiosk) {
            ui::Tour::offer(&window, &connection, &settings);
        }
    } else {
        connectFirst(window, connection, options, *group);
    }
    const int status = QApplication::exec();
    if (demo) {
        window.hide();
        connection.disconnectNow();
        if (const auto ended = demo->end(); !ended.ok()) {
            say(ended.error().line());
        }
    }
    return status;
}

} // namespace

int main(int argc, char **argv)
{
    if (const auto status = app::runDemoWorkload(argc, argv)) {
        return *status;
    }
    ::umask(077); // settings, exports and saved values are the person's alone
    if (const auto status = answered(argc, argv)) {
        return *status;
    }
    QApplication application(argc, argv);
    // libpq's own connect errors are told apart by their English text.
    static_cast<void>(std::setlocale(LC_MESSAGES, "C"));
    nameProgram();
    QApplication::setApplicationDisplayName(u"Idemdesk"_s);
    QApplication::setDesktopFileName(QStringLiteral(IDEMDESK_DESKTOP_ID));
    app::installTranslations();
    int status = 0;
    const auto options = readOptions(application, &status);
    return options ? runWindow(application, *options) : status;
}
